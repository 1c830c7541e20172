import type { ListWebsites } from "@siteward/contract/types";
import type { CallOptions } from "../options/call-options.ts";
import type { Siteward } from "../siteward.ts";
import type { Version } from "./change.ts";
import { hasCode } from "./failure.ts";

const perPage = 100;

/** Which websites to read: those with these IDs or these domains in canonical form, or all. */
export type Wanted = "all" | { readonly ids?: ReadonlySet<number>; readonly domains?: ReadonlySet<string> };

/** How websites are read. */
export interface ReadOptions extends CallOptions {
  /** How many requests are sent at the same time. Default: 8 */
  readonly parallel?: number | undefined;
  /** Called after each answer with how many of the websites were found. */
  readonly onRead?: ((found: number) => void) | undefined;
}

/**
 * Reads websites with few requests: pages of 100, as long as that takes no more than one for each that is missing.
 *
 * @returns those that exist, by ID, and how many websites the account has, if a page was read
 * @throws SitewardError
 * @example
 * const { versions } = await readVersions(siteward, { domains: new Set(["example.com", "example.org"]) });
 */
export async function readVersions(
  siteward: Siteward,
  wanted: Wanted,
  { parallel, onRead, ...options }: ReadOptions = {},
): Promise<{ readonly versions: Map<number, Version>; readonly total: number }> {
  const isAll = wanted === "all";
  const { ids = new Set<number>(), domains = new Set<string>() } = isAll ? {} : wanted;
  const missing = new Set<number | string>([...ids, ...domains]);
  const versions = new Map<number, Version>();
  const keep = (read: readonly Version[]): void => {
    for (const version of read) {
      const { id, domain } = version.website;
      // Both can be missing.
      const isWanted = [missing.delete(id), missing.delete(domain), isAll].includes(true);
      if (isWanted) versions.set(id, version);
    }
    onRead?.(versions.size);
  };
  let [total, pagesRead] = [0, 0];
  // In order of ID, a website that somebody creates meanwhile is on the last page.
  const pages = isAll || domains.size > 0 || ids.size > 2 ? readPages(siteward, { sort_by: "id" }, options) : [];
  for await (const { read, meta } of pages) {
    keep(read);
    ({ total } = meta);
    pagesRead += 1;
    // What the list does not contain does not exist.
    if (meta.next_cursor === null) missing.clear();
    const isFound = missing.size === 0 || missing.size < Math.ceil(total / perPage) - pagesRead;
    if (isFound && !isAll) break;
  }
  const queue = [...missing].values();
  const work = async (): Promise<void> => {
    for (const one of queue) keep(await lookUp(siteward, one, options));
  };
  await Promise.all(Array.from({ length: Math.max(1, parallel || 8) }, work));
  return { versions, total };
}

async function* readPages(siteward: Siteward, query: ListWebsites, options: CallOptions) {
  const all = { ...query, sort: "asc", per_page: perPage, entity_tags: 1 } as const;
  for await (const { data, meta } of siteward.websites.list(all, options).pages()) {
    // A page has the tags in the order of its websites.
    yield { meta, read: data.map((website, at): Version => ({ website, tag: meta.entity_tags?.[at] ?? "" })) };
  }
}

async function lookUp(siteward: Siteward, one: number | string, options: CallOptions): Promise<readonly Version[]> {
  if (typeof one === "number") return [(await readVersion(siteward, one, options)) ?? []].flat();
  // The search also finds domains that only contain this one. They are sorted, so the first that is not less decides.
  for await (const { read } of readPages(siteward, { search: one, sort_by: "domain" }, options)) {
    if (read.some(({ website }) => website.domain >= one)) return read;
  }
  return [];
}

/** Reads one website; undefined if it does not exist. */
export async function readVersion(siteward: Siteward, id: number, options: CallOptions): Promise<Version | undefined> {
  try {
    const { data, response } = await siteward.websites.get(id, options).withResponse();
    return { website: data, tag: response.etag ?? "" };
  } catch (error) {
    if (hasCode(error, "not_found")) return undefined;
    throw error;
  }
}
