import type { MemoryAccount, RateLimiter, RunningRequests, Service } from "@siteward/service";
import type { ApiKeys } from "./api-keys.ts";
import type { FakeClock } from "./clock.ts";

/** Everything that the fake remembers of the account. */
export interface FakeState {
  readonly baseUrl: string;
  readonly clock: FakeClock;
  /** What its operations have at hand: the storage in memory above all. */
  readonly service: Service;
  /** The account in that storage. */
  readonly account: MemoryAccount;
  readonly apiKeys: ApiKeys;
  readonly running: RunningRequests;
  readonly rateLimiter: RateLimiter;
  /** Requests per minute of a key without a limit of its own; 0 for no limit. */
  readonly rateLimit: number;
}
