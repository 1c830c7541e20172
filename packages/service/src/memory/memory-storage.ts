import type { ServiceStorage, StoredAccount, WebsiteStore } from "../storage.ts";
import { KeptOutcomes } from "./kept-outcomes.ts";
import { WebsiteTable } from "./website-table.ts";

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
  readonly outcomes: KeptOutcomes;
}

/**
 * The storage of the service in the memory of one process, for tests. It makes the same promises as a database, except that its
 * data ends with the process and that nobody reads its audit trail, which it does not keep.
 */
export class MemoryStorage implements ServiceStorage {
  readonly websites: WebsiteStore;
  readonly accounts: ServiceStorage["accounts"];
  readonly #now: () => number;
  readonly #accounts = new Map<number, MemoryAccount>();

  /** @param now the clock, in milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
    this.websites = createWebsiteStore((id) => this.#accounts.get(id), now);
    this.accounts = { get: async (id) => describe(this.#accounts.get(id)) };
  }

  /** Creates an account under the next id. */
  createAccount({ name, email, websiteLimit }: NewMemoryAccount): MemoryAccount {
    const id = this.#accounts.size + 1;
    const nowMs = this.#now();
    const at = new Date(nowMs).toISOString();
    const account: MemoryAccount = {
      stored: { id, name, email, created_at: at, updated_at: at },
      websites: new WebsiteTable(websiteLimit, nowMs),
      outcomes: new KeptOutcomes(),
    };
    this.#accounts.set(id, account);
    return account;
  }
}

function describe(account: MemoryAccount | undefined): StoredAccount | undefined {
  if (account === undefined) return undefined;
  const { websites } = account;
  const { id, name, email, ...times } = account.stored;
  return { id, name, email, websites: { count: websites.count, limit: websites.limit }, ...times };
}

/** What is found in an account that does not exist. */
const nothing = { websites: new WebsiteTable(0, 0), outcomes: new KeptOutcomes() };

type FindAccount = (id: number) => MemoryAccount | undefined;

/** Each call is done when it returns, so no other call comes in between. */
function createWebsiteStore(findAccount: FindAccount, now: () => number): WebsiteStore {
  const find = (accountId: number) => findAccount(accountId) ?? nothing;
  return {
    list: async (accountId, request) => find(accountId).websites.list(request),
    changes: async (accountId, request) => find(accountId).websites.changes(request),
    get: async (accountId, id) => find(accountId).websites.get(id),
    async create(accountId, website, { idempotency }) {
      const { websites, outcomes } = find(accountId);
      if (outcomes === nothing.outcomes) throw new Error(`Account ${accountId} does not exist.`);
      const earlier = outcomes.find(idempotency, now());
      if (earlier !== undefined) return earlier;
      try {
        const created = websites.create(website, now());
        outcomes.keep(idempotency, { created }, now());
        return { ...created, isReplay: false };
      } catch (error) {
        outcomes.keepRefusal(idempotency, error, now());
        throw error;
      }
    },
    findCreated: async (accountId, idempotency) => find(accountId).outcomes.find(idempotency, now()),
    async update(accountId, id, decide) {
      const { websites } = find(accountId);
      const current = websites.get(id);
      return current === undefined ? undefined : websites.update(current, decide(current), now());
    },
    async delete(accountId, id, decide) {
      const { websites } = find(accountId);
      const current = websites.get(id);
      if (current === undefined) return false;
      decide(current);
      websites.delete(current, now());
      return true;
    },
  };
}
