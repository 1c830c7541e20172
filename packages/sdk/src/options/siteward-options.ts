import packageJson from "../../package.json" with { type: "json" };
import { InvalidArgumentError } from "../errors/invalid-argument-error.ts";
import { checkMaxRetries, checkTimeoutMs } from "./check-limits.ts";

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

/** @throws InvalidArgumentError if an option is not valid; no message contains the API key */
export function resolveSitewardOptions(options: SitewardOptions): ResolvedSitewardOptions {
  return {
    apiKey: readApiKey(options.apiKey),
    baseUrl: readBaseUrl(options.baseUrl ?? "http://127.0.0.1:3000"),
    // Looked up for each request, so that a program or test can replace the global fetch after it creates a client.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: checkTimeoutMs(options.timeoutMs ?? 30_000),
    maxRetries: checkMaxRetries(options.maxRetries ?? 2),
    userAgent: readUserAgent(options.userAgent),
  };
}

/** Accepts any string that a header can carry: only the service knows which keys are valid. */
function readApiKey(apiKey: unknown): string {
  if (typeof apiKey !== "string" || apiKey === "") {
    throw new InvalidArgumentError("apiKey is missing. Pass the API key that the operator of the service gave you.");
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new InvalidArgumentError(
      "apiKey contains whitespace, a control character or a non-ASCII character. Remove it.",
    );
  }
  return apiKey;
}

function readBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw new InvalidArgumentError('baseUrl must be an http or https URL, such as "https://siteward.example.com".');
  }
  if (url.username !== "" || url.password !== "") {
    throw new InvalidArgumentError("baseUrl must not contain a user name or password. Remove them.");
  }
  if (url.search !== "" || url.hash !== "") {
    throw new InvalidArgumentError("baseUrl must not contain a query or fragment. Remove it.");
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function readUserAgent(userAgent: string | undefined): string {
  const own = `siteward-sdk/${packageJson.version}`;
  if (userAgent === undefined) return own;
  if (!/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(userAgent)) {
    throw new InvalidArgumentError("userAgent must contain only visible ASCII characters and single spaces.");
  }
  return `${userAgent} ${own}`;
}
