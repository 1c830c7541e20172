import packageJson from "../../package.json" with { type: "json" };
import { InvalidArgumentError } from "../errors/invalid-argument-error.ts";
import { checkMaxRetries, checkTimeoutMs } from "./check-limits.ts";

/** What the SDK needs of a `fetch`. It must honour `redirect: "manual"`, as every standard one does. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How a client reaches the service. */
export interface SitewardOptions {
  /** The API key, `swk_…`. Without white space; `isWellFormedApiKey` tells a mistyped one offline. */
  readonly apiKey: string;
  /**
   * The address of the service, http or https, without `/api/v1`; a path in front of that is kept.
   * @default "http://127.0.0.1:3000"
   */
  readonly baseUrl?: string | undefined;
  /**
   * Sends the requests, for example through a proxy.
   * @default globalThis.fetch, looked up at each request
   */
  readonly fetch?: Fetch | undefined;
  /**
   * Milliseconds that one attempt may take, its answer included; from 1. To bound a call with all its repetitions, pass
   * `signal: AbortSignal.timeout(…)` to it.
   * @default 30000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * How often a failed request is repeated where that is safe; from 0.
   * @default 2
   */
  readonly maxRetries?: number | undefined;
  /** Names your program in front of the SDK's own `User-Agent`, such as `my-program/1.0`. Visible ASCII and spaces. */
  readonly userAgent?: string | undefined;
}

/** The options, checked and with their defaults. It holds the API key, so it stays inside closures. */
export interface ResolvedSitewardOptions {
  readonly apiKey: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly userAgent: string;
}

/** @throws InvalidArgumentError where an option is unusable; no message holds the API key */
export function resolveSitewardOptions(options: SitewardOptions): ResolvedSitewardOptions {
  return {
    apiKey: readApiKey(options.apiKey),
    baseUrl: readBaseUrl(options.baseUrl ?? "http://127.0.0.1:3000"),
    // Looked up late, so that a program or test that replaces the global fetch after making a client is heard.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: checkTimeoutMs(options.timeoutMs ?? 30_000),
    maxRetries: checkMaxRetries(options.maxRetries ?? 2),
    userAgent: readUserAgent(options.userAgent),
  };
}

/** Any text that a header can carry is let through: whether a key is in force is the service's to say. */
function readApiKey(apiKey: unknown): string {
  if (typeof apiKey !== "string" || apiKey === "") {
    throw new InvalidArgumentError("apiKey is missing; pass the API key that the operator of the service gave you");
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new InvalidArgumentError("apiKey holds white space, a control character or one that is not ASCII; trim it");
  }
  return apiKey;
}

function readBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw new InvalidArgumentError('baseUrl must be an http or https URL, such as "https://siteward.example.com"');
  }
  if (url.username !== "" || url.password !== "") {
    throw new InvalidArgumentError("baseUrl must not hold a user name or password");
  }
  if (url.search !== "" || url.hash !== "") {
    throw new InvalidArgumentError("baseUrl must not hold a query or fragment");
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function readUserAgent(userAgent: string | undefined): string {
  const own = `siteward-sdk/${packageJson.version}`;
  if (userAgent === undefined) return own;
  if (!/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(userAgent)) {
    throw new InvalidArgumentError("userAgent must be visible ASCII characters and single spaces");
  }
  return `${userAgent} ${own}`;
}
