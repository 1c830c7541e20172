import packageJson from "../../package.json" with { type: "json" };
import { InvalidArgumentError } from "../errors/invalid-argument-error.ts";
import { checkOptions, matching, optional, type Rule } from "./check-options.ts";
import { commonRules } from "./common-rules.ts";

/** The part of `fetch` that the SDK uses. It must support `redirect: "manual"`, as every standard `fetch` does. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Options of a `Siteward` client. */
export interface SitewardOptions {
  /** The API key, `swk_…`, without whitespace. `isWellFormedApiKey` detects a mistyped key without a request. */
  readonly apiKey: string;
  /**
   * The http or https URL of the service, without `/api/v1`. A path in front of `/api/v1` is kept.
   * @default "http://127.0.0.1:3000"
   */
  readonly baseUrl?: string | undefined;
  /**
   * The function that sends requests. Pass your own, for example to use a proxy.
   * @default globalThis.fetch, looked up for each request
   */
  readonly fetch?: Fetch | undefined;
  /**
   * How long one attempt may take, including its response, in milliseconds; at least 1. To limit a call with all its
   * retries, pass `signal: AbortSignal.timeout(…)` to the call.
   * @default 30000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * How many times a failed request is retried, if a retry is safe; at least 0.
   * @default 2
   */
  readonly maxRetries?: number | undefined;
  /**
   * The name of your program, such as `my-program/1.0`, sent in front of the SDK's own `User-Agent`. Visible ASCII
   * characters and single spaces.
   */
  readonly userAgent?: string | undefined;
}

/** The options, checked, with defaults filled in. Contains the API key, so it stays inside closures. */
export interface ResolvedSitewardOptions {
  readonly apiKey: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly userAgent: string;
}

const rules = {
  ...commonRules,
  // Any string that a header can carry: only the service knows which keys are valid.
  apiKey: matching(/^[\x21-\x7e]+$/, "contain only visible ASCII characters, without whitespace"),
  baseUrl: optional(isBaseUrl, "be an http or https URL without a user name or password, query or fragment"),
  fetch: optional((value) => typeof value === "function", "be a function"),
  userAgent: matching(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, "contain only visible ASCII characters and single spaces"),
} satisfies Record<keyof SitewardOptions, Rule>;

/** @throws InvalidArgumentError if an option is not valid; no message contains the API key */
export function resolveSitewardOptions(options: SitewardOptions): ResolvedSitewardOptions {
  const { apiKey, baseUrl = "http://127.0.0.1:3000", userAgent } = options;
  if (!apiKey) {
    throw new InvalidArgumentError("apiKey is missing. Pass the API key that the operator of the service gave you.");
  }
  checkOptions(options, rules);
  const { origin, pathname } = new URL(baseUrl);
  const own = `siteward-sdk/${packageJson.version}`;
  return {
    apiKey,
    baseUrl: origin + pathname.replace(/\/+$/, ""),
    // Looked up for each request, so that a program or test can replace the global fetch after it creates a client.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: options.timeoutMs ?? 30_000,
    maxRetries: options.maxRetries ?? 2,
    userAgent: userAgent === undefined ? own : `${userAgent} ${own}`,
  };
}

function isBaseUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && username + password + search + hash === "";
}
