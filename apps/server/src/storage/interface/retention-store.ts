/**
 * Deletes what is kept no longer: entries of the audit trail, and outcomes of requests with an idempotency key, which
 * are kept for 24 hours. Each call reads and deletes little, so that requests do not wait for it.
 */
export interface RetentionStore {
  /** Checks the next accounts in order of id, at most 100 of them. */
  findExpired(request: {
    readonly afterAccountId: number;
    readonly auditRetentionMs: number;
  }): Promise<ExpiredAccounts>;
  /**
   * Deletes the oldest rows of an account that are kept no longer, at most 50 of each table.
   *
   * @param auditRetentionMs how long entries of the audit trail are kept. `Infinity` keeps all.
   * @returns whether there may be more
   */
  deleteExpired(accountId: number, auditRetentionMs: number): Promise<boolean>;
}

export interface ExpiredAccounts {
  readonly accountIds: readonly number[];
  /** The last account that was checked. Undefined if there are no more accounts. */
  readonly lastAccountId: number | undefined;
}
