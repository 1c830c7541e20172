import type { Scope } from "@siteward/contract/routes";

/** What a new API key can do. */
export interface FakeApiKeyOptions {
  /**
   * The name that the account shows.
   * @default "Test"
   */
  readonly name?: string | undefined;
  /**
   * What the key can do.
   * @default all scopes
   */
  readonly scopes?: readonly Scope[] | undefined;
  /**
   * When the key expires, by the clock of the fake.
   * @default never
   */
  readonly expiresAt?: Date | undefined;
  /**
   * Requests per minute; 0 for no limit.
   * @default the `rateLimit` of the fake
   */
  readonly rateLimit?: number | undefined;
}
