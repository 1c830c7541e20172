import type { NewApiKey } from "@siteward/testing/engines/account-rows";

/** What a caller does with a new account, as plain data, so that it can be printed and sent to several services. */
export interface Sequence {
  /** The limits of the account and of its first key. */
  readonly websiteLimit: number | undefined;
  readonly rateLimit: number | undefined;
  /** How many websites are created first. */
  readonly websiteCount: number;
  readonly steps: readonly Step[];
}

export type Step = PlannedRequest | RepeatedRequest | PassingTime;

/**
 * A request. Its path and headers can contain references to earlier answers, which each service has in its own words:
 *
 * - `{{tag 0}}` is the newest entity tag, `{{tag 1}}` the one before it, and so on.
 * - `{{tag-of 3}}` is the newest entity tag of website 3, and `{{tag-of path}}` that of the request's own path.
 * - `{{cursor 0}}` is the newest cursor of a list, `{{changes 0}}` that of the changes, and `{{link 0}}` the path and query
 *   of the newest link.
 */
export interface PlannedRequest {
  readonly method: string;
  readonly path: string;
  /** The key that the header `Authorization` contains. */
  readonly key: KeyName;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** The request that was sent this many requests ago, again. */
interface RepeatedRequest {
  readonly repeat: number;
}

interface PassingTime {
  readonly advanceMs: number;
}

/** The keys of each account. */
export const keys = {
  all: {},
  reader: { scopes: ["websites:read"] },
  writer: { scopes: ["websites:write", "account:read"] },
  shortLived: { expiresInMs: 60_000 },
} as const satisfies Record<string, NewApiKey>;

export type KeyName = keyof typeof keys;

// Object.keys loses the names, which are constant.
export const keyNames = Object.keys(keys) as readonly KeyName[];
