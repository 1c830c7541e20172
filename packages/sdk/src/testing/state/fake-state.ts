import type { Account } from "@siteward/contract";
import type { RateLimiter } from "@siteward/service";
import type { ApiKeys } from "./api-keys.ts";
import type { FakeClock } from "./clock.ts";
import type { KeptOutcomes } from "./kept-outcomes.ts";
import type { WebsiteTable } from "./website-table.ts";

/** Everything that the fake remembers of the account. */
export interface FakeState {
  readonly baseUrl: string;
  readonly clock: FakeClock;
  readonly account: Omit<Account, "websites" | "api_key">;
  readonly websites: WebsiteTable;
  readonly apiKeys: ApiKeys;
  readonly outcomes: KeptOutcomes;
  readonly rateLimiter: RateLimiter;
  /** Requests per minute of a key without a limit of its own; 0 for no limit. */
  readonly rateLimit: number;
}
