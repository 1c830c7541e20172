import type { ChangeAuthor, StoredAccount } from "@siteward/service";

/** A list with an item in the place of each of another list. */
export type Each<List extends readonly unknown[], Item> = { readonly [Index in keyof List]: Item };

export interface AccountStore {
  get(id: number): Promise<StoredAccount | undefined>;
  /** Returns the lowest id of an account with an API key, or else of any. */
  firstId(): Promise<number | undefined>;
  /** Counts the accounts and their websites. It reads every account: 100,000 in 4 ms on SQLite. */
  totals(): Promise<{ readonly accounts: number; readonly websites: number }>;
  list(): Promise<StoredAccount[]>;
  /** Creates accounts under the next ids, all or none. The id of a deleted account is never used again. */
  createAll<const List extends readonly AccountSettings[]>(
    accounts: List,
    by: ChangeAuthor,
  ): Promise<Each<List, StoredAccount>>;
  /** @returns the account after the change, or undefined if it does not exist */
  update(id: number, change: Partial<AccountSettings>, by: ChangeAuthor): Promise<StoredAccount | undefined>;
  /**
   * Revokes the API keys of an account, and then deletes everything that belongs to it: websites, idempotency keys, the
   * audit trail, API keys, and the account itself. Each of many short transactions deletes some of it. If it is
   * interrupted, call it again.
   *
   * @returns what this call deleted, or undefined if the account does not exist
   */
  delete(id: number, options: DeleteAccountOptions): Promise<DeletedRows | undefined>;
}

export interface DeleteAccountOptions {
  readonly by: ChangeAuthor;
  /** How long servers may still accept a revoked key. The account exists for at least as long, for their requests. */
  readonly revocationMs: number;
  /** Called if the account is kept for a while, because servers may still accept a revoked key. */
  readonly onWait?: () => void;
}

export type DeletedRows = Readonly<Record<"websites" | "idempotency_keys" | "audit_entries" | "api_keys", number>>;

export interface AccountSettings {
  readonly name: string;
  readonly email: string;
  /** Null means no limit. */
  readonly websiteLimit: number | null;
}
