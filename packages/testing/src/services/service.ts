import type { NewAccount, NewApiKey } from "../engines/account-rows.ts";

/** Something that answers as Siteward does: the built server on an engine, or the fake of `@siteward/sdk/testing`. */
export interface Service extends AsyncDisposable {
  readonly name: string;
  /** Creates an empty account that nothing else uses. */
  createAccount(options?: NewAccount): ServiceAccount;
  /** The time of the service, in milliseconds since 1970. It changes only in {@link advanceClock}. */
  nowMs(): number;
  advanceClock(byMs: number): void;
}

/** An account of a service, and the way to reach it. */
export interface ServiceAccount {
  readonly id: number;
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  /** Creates an API key. */
  createApiKey(options?: NewApiKey): string;
  /** Revokes an API key, which the service may notice up to 5 seconds later. */
  revokeApiKey(key: string): void;
}
