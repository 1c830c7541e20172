import { maxExactTotal, toUnicodeDomain, type Website } from "@siteward/contract";
import type { Failure } from "./app-error.ts";
import { domainTaken, idempotencyKeyReused, isOutcome, replayed, websiteLimitReached } from "./refusals.ts";
import { keptMs } from "./request/headers.ts";
import { toSearchTerm } from "./search-term.ts";
import type {
  ChangePosition,
  Created,
  IdempotentRequest,
  ListPosition,
  NewWebsite,
  PositionStart,
  ServiceStorage,
  VersionedWebsite,
  WebsiteListRequest,
  WebsiteStore,
} from "./storage.ts";
import { applyChange, isDifferent, notBefore } from "./website-change.ts";

/** What the account begins with. */
interface NewMemoryAccount {
  readonly name: string;
  readonly email: string;
  /** Null means no limit. */
  readonly websiteLimit: number | null;
}

/** What a request with an idempotency key led to: the website as it was created, or a refusal. */
interface KeptOutcome {
  readonly fingerprint: string;
  readonly atMs: number;
  readonly outcome: { readonly created: VersionedWebsite } | { readonly refusal: Failure };
}

/**
 * The storage of the service in the memory of one process, for tests. Its one account answers to every ID. It makes the
 * same promises as a database, except that its data ends with the process, that its memory has no bound, and that it
 * keeps no audit trail. Each call is done when it returns, so no other call comes in between.
 */
export class MemoryStorage implements ServiceStorage {
  readonly #account: NewMemoryAccount;
  readonly #now: () => number;
  /** In order of ID. */
  readonly #byId = new Map<number, VersionedWebsite>();
  readonly #idsByDomain = new Map<string, number>();
  /** The changes in order. The first stands for the start of the count, when the account was created. */
  readonly #changes: { readonly id: number; readonly at: number }[];
  #lastId = 0;
  /** The time of the newest create or delete. Later ones are never before it. */
  #newestMs = 0;
  /** By idempotency key. */
  readonly #outcomes = new Map<string, KeptOutcome>();

  /** @param now the clock, in milliseconds since 1970 */
  constructor(account: NewMemoryAccount, now: () => number) {
    this.#account = account;
    this.#now = now;
    this.#changes = [{ id: 0, at: now() }];
  }

  readonly accounts: ServiceStorage["accounts"] = {
    get: async (id) => {
      const { name, email, websiteLimit: limit } = this.#account;
      const at = new Date(this.#positionAt(0).at).toISOString();
      return { id, name, email, websites: { count: this.#byId.size, limit }, created_at: at, updated_at: at };
    },
  };

  readonly websites: WebsiteStore = {
    list: async (_account, request) => {
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
    },
    changes: async (_account, { since, perPage }) => {
      if (this.#changes[since.number]?.at !== since.at) return "expired";
      const made = this.#changes.slice(since.number + 1, since.number + 1 + perPage).map(({ id }) => id);
      const ids = made.filter((id, index) => made.lastIndexOf(id) === index);
      return {
        websites: ids.flatMap((id) => this.#byId.get(id) ?? []),
        deletedIds: ids.filter((id) => !this.#byId.has(id)),
        end: this.#positionAt(since.number + made.length),
        newest: this.#positionAt(this.#changes.length - 1),
        total: this.#byId.size,
      };
    },
    get: async (_account, id) => this.#byId.get(id),
    create: async (_account, website, { idempotency }) => {
      const earlier = idempotency && this.#findCreated(idempotency);
      if (earlier !== undefined) return earlier;
      const keep = (outcome: KeptOutcome["outcome"]) =>
        idempotency && this.#outcomes.set(idempotency.key, { ...idempotency, atMs: this.#now(), outcome });
      try {
        const created = this.create(website);
        keep({ created });
        return { ...created, isReplay: false };
      } catch (error) {
        if (isOutcome(error)) keep({ refusal: error.failure });
        throw error;
      }
    },
    findCreated: async (_account, idempotency) => this.#findCreated(idempotency),
    update: async (_account, id, decide) => {
      const current = this.#byId.get(id);
      if (current === undefined) return undefined;
      const { website, version } = current;
      const change = decide(current);
      if (!isDifferent(website, change)) return current;
      const at = notBefore(website, this.#now());
      return this.#store({ website: applyChange(website, change, at), version: version + 1 }, at);
    },
    delete: async (_account, id, decide) => {
      const current = this.#byId.get(id);
      if (current === undefined) return false;
      decide(current);
      const at = notBefore(current.website, this.#now());
      this.#newestMs = Math.max(this.#newestMs, at);
      this.#byId.delete(id);
      this.#idsByDomain.delete(current.website.domain);
      this.#changes.push({ id, at });
      return true;
    },
  };

  /** Returns all websites in order of ID. */
  all(): Website[] {
    return [...this.#byId.values()].map(({ website }) => website);
  }

  /** @throws AppError `domain_taken` or `website_limit_reached` */
  create({ domain, privacy, passwordHash, ...settings }: NewWebsite): VersionedWebsite {
    const { websiteLimit } = this.#account;
    const websiteId = this.#idsByDomain.get(domain);
    if (websiteId !== undefined) throw domainTaken({ domain, websiteId });
    if (websiteLimit !== null && this.#byId.size >= websiteLimit) throw websiteLimitReached(websiteLimit);
    this.#lastId += 1;
    this.#newestMs = Math.max(this.#newestMs, this.#now());
    const at = new Date(this.#newestMs).toISOString();
    // In the order of the fields of the interface.
    const fields = { id: this.#lastId, domain, privacy, has_password: passwordHash !== null, ...settings };
    this.#idsByDomain.set(domain, this.#lastId);
    return this.#store({ website: { ...fields, created_at: at, updated_at: at }, version: 1 }, this.#newestMs);
  }

  #store(record: VersionedWebsite, at: number): VersionedWebsite {
    this.#byId.set(record.website.id, record);
    this.#changes.push({ id: record.website.id, at });
    return record;
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

  #positionAt(number: number): ChangePosition {
    return { number, at: this.#changes[number]?.at ?? 0 };
  }

  #findCreated({ key, fingerprint }: IdempotentRequest): Created | undefined {
    const kept = this.#outcomes.get(key);
    if (kept === undefined || kept.atMs <= this.#now() - keptMs) return undefined;
    if (kept.fingerprint !== fingerprint) throw idempotencyKeyReused();
    if ("refusal" in kept.outcome) throw replayed(kept.outcome.refusal);
    return { ...kept.outcome.created, isReplay: true };
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
