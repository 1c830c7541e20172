import type { Scope } from "@siteward/contract";

/** Something that answers as Siteward does: the built server, or the fake of `@siteward/sdk/testing`. */
export interface Service extends AsyncDisposable {
  readonly name: string;
  /** Creates empty accounts that nothing else uses. Those of an earlier call are no longer used. */
  createAccounts(accounts: readonly NewServiceAccount[]): Promise<readonly ServiceAccount[]>;
  /** The time of the service, in milliseconds since 1970. It changes only in {@link advanceClock}. */
  nowMs(): number;
  advanceClock(byMs: number): void;
}

export interface NewServiceAccount {
  /** The largest number of websites. Null means no limit. */
  readonly websiteLimit: number | null;
  readonly keys: readonly NewServiceKey[];
}

export interface NewServiceKey {
  /** The default is all scopes. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Requests per minute. The default is no limit. */
  readonly rateLimit?: number | undefined;
  /** The default is never. */
  readonly expiresInMs?: number | undefined;
}

/** An account of a service, and the way to reach it. */
export interface ServiceAccount {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  /** In the order in which they were named. */
  readonly apiKeys: readonly string[];
}
