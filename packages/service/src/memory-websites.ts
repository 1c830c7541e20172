import { maxExactTotal, toUnicodeDomain, type Website } from "@siteward/contract";
import { domainTaken, websiteLimitReached } from "./refusals.ts";
import { toSearchTerm } from "./search-term.ts";
import type {
  ChangePosition,
  ListPosition,
  NewWebsite,
  PositionStart,
  VersionedWebsite,
  WebsiteChange,
  WebsiteChanges,
  WebsiteChangesRequest,
  WebsiteList,
  WebsiteListRequest,
} from "./storage.ts";
import { applyChange, isDifferent, notBefore } from "./website-change.ts";

/** The websites of an account in memory. */
export class WebsiteTable {
  /** Null means no limit. */
  readonly limit: number | null;
  /** In order of ID. */
  readonly #byId = new Map<number, VersionedWebsite>();
  readonly #idsByDomain = new Map<string, number>();
  /** The changes in order. The first stands for the start of the count. */
  readonly #changes: { readonly id: number; readonly at: number }[];
  #lastId = 0;
  /** The time of the newest create or delete. Later ones are never before it. */
  #newestMs = 0;

  /** @param beganMs when the account was created */
  constructor(limit: number | null, beganMs: number) {
    this.limit = limit;
    this.#changes = [{ id: 0, at: beganMs }];
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
    if (this.limit !== null && this.count >= this.limit) throw websiteLimitReached(this.limit);
    this.#lastId += 1;
    this.#newestMs = Math.max(this.#newestMs, nowMs);
    const at = new Date(this.#newestMs).toISOString();
    // In the order of the fields of the interface.
    const fields = { id: this.#lastId, domain, privacy, has_password: passwordHash !== null, ...settings };
    this.#idsByDomain.set(domain, this.#lastId);
    return this.#store({ website: { ...fields, created_at: at, updated_at: at }, version: 1 }, this.#newestMs);
  }

  /** Makes a change. If it alters nothing, the record and its version stay the same. */
  update({ website, version }: VersionedWebsite, change: WebsiteChange, nowMs: number): VersionedWebsite {
    if (!isDifferent(website, change)) return { website, version };
    const at = notBefore(website, nowMs);
    return this.#store({ website: applyChange(website, change, at), version: version + 1 }, at);
  }

  #store(record: VersionedWebsite, at: number): VersionedWebsite {
    this.#byId.set(record.website.id, record);
    this.#changes.push({ id: record.website.id, at });
    return record;
  }

  delete({ website }: VersionedWebsite, nowMs: number): void {
    const at = notBefore(website, nowMs);
    this.#newestMs = Math.max(this.#newestMs, at);
    this.#byId.delete(website.id);
    this.#idsByDomain.delete(website.domain);
    this.#changes.push({ id: website.id, at });
  }

  list(request: WebsiteListRequest): WebsiteList {
    const { search, perPage, start } = request;
    const matches = this.#find(request);
    const total = matches.length;
    const isCounted = search === undefined || total <= maxExactTotal;
    const from = "page" in start ? (start.page - 1) * perPage : findStart(matches, request, start);
    return {
      websites: matches.slice(Math.max(0, from), Math.max(0, from + perPage)),
      total: isCounted ? total : maxExactTotal,
      totalRelation: isCounted ? "eq" : "gte",
      hasPrevious: from > 0 && total > 0,
      hasNext: from + perPage < total,
      changes: this.#positionAt(this.#changes.length - 1),
    };
  }

  /** Returns the matching records in the order of the list. */
  #find({ search, sortBy, sort }: WebsiteListRequest): VersionedWebsite[] {
    const term = search === undefined ? "" : toSearchTerm(search);
    if (term === undefined) return [];
    const matches = [...this.#byId.values()].filter(
      ({ website: { domain } }) => domain.includes(term) || toUnicodeDomain(domain).includes(term),
    );
    if (sortBy === "domain") matches.sort((left, right) => (left.website.domain < right.website.domain ? -1 : 1));
    return sort === "desc" ? matches.reverse() : matches;
  }

  changes({ since, perPage }: WebsiteChangesRequest): WebsiteChanges | "expired" {
    if (this.#changes[since.number]?.at !== since.at) return "expired";
    const made = this.#changes.slice(since.number + 1, since.number + 1 + perPage).map(({ id }) => id);
    const ids = made.filter((id, index) => made.lastIndexOf(id) === index);
    return {
      websites: ids.flatMap((id) => this.#byId.get(id) ?? []),
      deletedIds: ids.filter((id) => !this.#byId.has(id)),
      end: this.#positionAt(since.number + made.length),
      newest: this.#positionAt(this.#changes.length - 1),
      total: this.count,
    };
  }

  #positionAt(number: number): ChangePosition {
    return { number, at: this.#changes[number]?.at ?? 0 };
  }
}

/** Returns where a page begins that starts at a position. */
function findStart(
  records: readonly VersionedWebsite[],
  { sortBy, sort, perPage }: WebsiteListRequest,
  { position, direction }: PositionStart,
): number {
  const found = records.findIndex(({ website }) => isBehind(website[sortBy], position, sort));
  const boundary = found === -1 ? records.length : found;
  return direction === "forward" ? boundary : boundary - perPage;
}

/** Whether a record is behind a position in the order of the list. */
function isBehind(key: number | string, { key: at, side }: ListPosition, sort: "asc" | "desc"): boolean {
  if (key === at) return side === "before";
  return sort === "asc" ? key > at : key < at;
}
