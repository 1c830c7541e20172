import { maxExactTotal, toUnicodeDomain, type Website } from "@siteward/contract";
import { domainTaken, websiteLimitReached } from "../errors/refusals.ts";
import { toSearchTerm } from "../lists/search-term.ts";
import type { WebsiteChanges, WebsiteChangesRequest } from "../lists/website-changes.ts";
import type { ListPosition, PositionStart, WebsiteList, WebsiteListRequest } from "../lists/website-list.ts";
import { applyChange, isDifferent, notBefore } from "../records/apply-change.ts";
import type { VersionedWebsite, WebsiteChange } from "../records/website-change.ts";
import type { NewWebsite } from "../storage.ts";
import { ChangeLog } from "./change-log.ts";

/** What never changes in a record, and the Unicode form of its domain. */
interface SortedRecord extends Pick<Website, "id" | "domain"> {
  readonly unicode: string;
}

/** No test needs more. Past it, creates are refused like those past the limit of the account. */
const maxWebsites = 100_000;

/** The websites of the account. */
export class WebsiteTable {
  /** Null means no limit. */
  readonly limit: number | null;
  readonly #byId = new Map<number, VersionedWebsite>();
  readonly #idsByDomain = new Map<string, number>();
  /** The records in each order that was requested since the last create or delete. */
  readonly #sorted = new Map<string, readonly SortedRecord[]>();
  readonly #changes: ChangeLog;
  #lastId = 0;
  /** The time of the newest create or delete. Later ones are never before it. */
  #newestMs = 0;

  /** @param beganMs when the account was created */
  constructor(limit: number | null, beganMs: number) {
    this.limit = limit;
    this.#changes = new ChangeLog(beganMs);
  }

  get count(): number {
    return this.#byId.size;
  }

  /** Returns all websites in order of ID. */
  all(): Website[] {
    return [...this.#byId.values()].map(({ website }) => website);
  }

  get(id: number): VersionedWebsite | undefined {
    return this.#byId.get(id);
  }

  /** @throws AppError `domain_taken` or `website_limit_reached` */
  create({ domain, privacy, passwordHash, ...settings }: NewWebsite, nowMs: number): VersionedWebsite {
    const websiteId = this.#idsByDomain.get(domain);
    if (websiteId !== undefined) throw domainTaken({ domain, websiteId });
    const limit = Math.min(this.limit ?? maxWebsites, maxWebsites);
    if (this.count >= limit) throw websiteLimitReached(limit);
    this.#lastId += 1;
    this.#newestMs = Math.max(this.#newestMs, nowMs);
    const at = new Date(this.#newestMs).toISOString();
    // In the order of the fields of the interface.
    const fields = { id: this.#lastId, domain, privacy, has_password: passwordHash !== null, ...settings };
    const created = { website: { ...fields, created_at: at, updated_at: at }, version: 1 };
    this.#byId.set(this.#lastId, created);
    this.#idsByDomain.set(domain, this.#lastId);
    this.#sorted.clear();
    this.#changes.add({ id: this.#lastId, at: this.#newestMs });
    return created;
  }

  /** Makes a change. If it alters nothing, the record and its version stay the same. */
  update({ website, version }: VersionedWebsite, change: WebsiteChange, nowMs: number): VersionedWebsite {
    if (!isDifferent(website, change)) return { website, version };
    const at = notBefore(website, nowMs);
    const changed = applyChange(website, change, at);
    const updated = { website: changed, version: version + 1 };
    this.#byId.set(website.id, updated);
    this.#changes.add({ id: website.id, at });
    return updated;
  }

  delete({ website }: VersionedWebsite, nowMs: number): void {
    const at = notBefore(website, nowMs);
    this.#newestMs = Math.max(this.#newestMs, at);
    this.#byId.delete(website.id);
    this.#idsByDomain.delete(website.domain);
    this.#sorted.clear();
    this.#changes.add({ id: website.id, at });
  }

  list(request: WebsiteListRequest): WebsiteList {
    const { search, perPage, start } = request;
    const matches = this.#find(request);
    const total = matches.length;
    const isCounted = search === undefined || total <= maxExactTotal;
    const [from, to] = "page" in start ? pageRange(start.page, perPage) : positionRange(matches, request, start);
    const found = matches.slice(from, to).flatMap(({ id }) => this.#byId.get(id) ?? []);
    return {
      websites: found.map(({ website }) => website),
      versions: found.map(({ version }) => version),
      total: isCounted ? total : maxExactTotal,
      totalRelation: isCounted ? "eq" : "gte",
      hasPrevious: from > 0 && total > 0,
      hasNext: to < total,
      changes: this.#changes.newest,
    };
  }

  changes({ since, perPage }: WebsiteChangesRequest): WebsiteChanges | "expired" {
    const read = this.#changes.read(since, perPage);
    if (read === undefined) return "expired";
    const { ids, end } = read;
    const inOrder = ids.filter((id, index) => ids.lastIndexOf(id) === index);
    const found = inOrder.flatMap((id) => this.#byId.get(id) ?? []);
    return {
      websites: found.map(({ website }) => website),
      versions: found.map(({ version }) => version),
      deletedIds: inOrder.filter((id) => !this.#byId.has(id)),
      end,
      newest: this.#changes.newest,
      total: this.count,
    };
  }

  /** Returns the matching records in the order of the list. */
  #find({ search, sortBy, sort }: WebsiteListRequest): readonly SortedRecord[] {
    const sorted = this.#sort(sortBy, sort);
    if (search === undefined) return sorted;
    const term = toSearchTerm(search);
    if (term === undefined) return [];
    return sorted.filter(({ domain, unicode }) => domain.includes(term) || unicode.includes(term));
  }

  #sort(sortBy: "id" | "domain", sort: "asc" | "desc"): readonly SortedRecord[] {
    const name = `${sortBy} ${sort}`;
    const known = this.#sorted.get(name);
    if (known !== undefined) return known;
    const records = this.all().map(({ id, domain }) => ({ id, domain, unicode: toUnicodeDomain(domain) }));
    if (sortBy === "domain") records.sort((left, right) => (left.domain < right.domain ? -1 : 1));
    if (sort === "desc") records.reverse();
    this.#sorted.set(name, records);
    return records;
  }
}

function pageRange(page: number, perPage: number): readonly [from: number, to: number] {
  return [(page - 1) * perPage, page * perPage];
}

/** Returns where a page begins and ends that starts at a position. */
function positionRange(
  records: readonly SortedRecord[],
  { sortBy, sort, perPage }: WebsiteListRequest,
  { position, direction }: PositionStart,
): readonly [from: number, to: number] {
  const found = records.findIndex((record) => isBehind(record[sortBy], position, sort));
  const boundary = found === -1 ? records.length : found;
  return direction === "forward" ? [boundary, boundary + perPage] : [Math.max(0, boundary - perPage), boundary];
}

/** Whether a record is behind a position in the order of the list. */
function isBehind(key: number | string, { key: at, side }: ListPosition, sort: "asc" | "desc"): boolean {
  if (key === at) return side === "before";
  return sort === "asc" ? key > at : key < at;
}
