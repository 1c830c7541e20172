import type { Failure } from "./app-error.ts";
import { WebsiteTable } from "./memory-websites.ts";
import { idempotencyKeyReused, isOutcome, replayed } from "./refusals.ts";
import { keptMs } from "./request/headers.ts";
import type {
  Created,
  IdempotentRequest,
  ServiceStorage,
  StoredAccount,
  VersionedWebsite,
  WebsiteStore,
} from "./storage.ts";

/** What an account begins with. */
interface NewMemoryAccount {
  readonly name: string;
  readonly email: string;
  /** Null means no limit. */
  readonly websiteLimit: number | null;
}

/** One account in memory. */
export interface MemoryAccount {
  readonly stored: Omit<StoredAccount, "websites">;
  readonly websites: WebsiteTable;
}

/** What a request with an idempotency key led to: the website as it was created, or a refusal. */
interface KeptOutcome {
  readonly fingerprint: string;
  readonly atMs: number;
  readonly outcome: { readonly created: VersionedWebsite } | { readonly refusal: Failure };
}

/**
 * The storage of the service in the memory of one process, for tests. It makes the same promises as a database, except that its
 * data ends with the process, that its memory has no bound, and that nobody reads its audit trail, which it does not keep. Each
 * call is done when it returns, so no other call comes in between.
 */
export class MemoryStorage implements ServiceStorage {
  readonly #now: () => number;
  readonly #accounts = new Map<number, MemoryAccount>();
  /** By account and idempotency key. */
  readonly #outcomes = new Map<string, KeptOutcome>();

  /** @param now the clock, in milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Creates an account under the next id. */
  createAccount({ name, email, websiteLimit }: NewMemoryAccount): MemoryAccount {
    const id = this.#accounts.size + 1;
    const nowMs = this.#now();
    const at = new Date(nowMs).toISOString();
    const stored = { id, name, email, created_at: at, updated_at: at };
    const account = { stored, websites: new WebsiteTable(websiteLimit, nowMs) };
    this.#accounts.set(id, account);
    return account;
  }

  readonly accounts: ServiceStorage["accounts"] = {
    get: async (accountId) => {
      const account = this.#accounts.get(accountId);
      if (account === undefined) return undefined;
      const { count, limit } = account.websites;
      const { created_at, updated_at, ...described } = account.stored;
      return { ...described, websites: { count, limit }, created_at, updated_at };
    },
  };

  readonly websites: WebsiteStore = {
    list: async (accountId, request) => this.#websitesOf(accountId).list(request),
    changes: async (accountId, request) => this.#websitesOf(accountId).changes(request),
    get: async (accountId, id) => this.#websitesOf(accountId).get(id),
    create: async (accountId, website, { idempotency }) => {
      if (!this.#accounts.has(accountId)) throw new Error(`Account ${accountId} does not exist.`);
      const earlier = this.#findCreated(accountId, idempotency);
      if (earlier !== undefined) return earlier;
      try {
        const created = this.#websitesOf(accountId).create(website, this.#now());
        this.#keep(accountId, idempotency, { created });
        return { ...created, isReplay: false };
      } catch (error) {
        if (isOutcome(error)) this.#keep(accountId, idempotency, { refusal: error.failure });
        throw error;
      }
    },
    findCreated: async (accountId, idempotency) => this.#findCreated(accountId, idempotency),
    update: async (accountId, id, decide) => {
      const websites = this.#websitesOf(accountId);
      const current = websites.get(id);
      return current === undefined ? undefined : websites.update(current, decide(current), this.#now());
    },
    delete: async (accountId, id, decide) => {
      const websites = this.#websitesOf(accountId);
      const current = websites.get(id);
      if (current === undefined) return false;
      decide(current);
      websites.delete(current, this.#now());
      return true;
    },
  };

  /** Nothing is found in an account that does not exist. */
  #websitesOf(accountId: number): WebsiteTable {
    return this.#accounts.get(accountId)?.websites ?? new WebsiteTable(0, 0);
  }

  #findCreated(accountId: number, request: IdempotentRequest | undefined): Created | undefined {
    const kept = request === undefined ? undefined : this.#outcomes.get(`${accountId} ${request.key}`);
    if (kept === undefined || kept.atMs <= this.#now() - keptMs) return undefined;
    if (kept.fingerprint !== request?.fingerprint) throw idempotencyKeyReused();
    if ("refusal" in kept.outcome) throw replayed(kept.outcome.refusal);
    return { ...kept.outcome.created, isReplay: true };
  }

  #keep(accountId: number, request: IdempotentRequest | undefined, outcome: KeptOutcome["outcome"]): void {
    if (request === undefined) return;
    const { key, fingerprint } = request;
    this.#outcomes.set(`${accountId} ${key}`, { fingerprint, atMs: this.#now(), outcome });
  }
}
