import packageJson from "../../package.json" with { type: "json" };
import { InvalidArgumentError } from "../errors/invalid-argument-error.ts";
import { logLevels } from "../hooks/log.ts";
import { createNotify, type Notify, type WatchOptions } from "../hooks/notify.ts";
import { check, checkOptions, matching, plainObject, type Rule } from "./check-options.ts";
import { commonRules, wholeNumber } from "./common-rules.ts";
import { type HeaderValues, readHeaders } from "./read-headers.ts";

/** The part of `fetch` that the SDK uses. It must support `redirect: "manual"`, as every standard `fetch` does. */
export type Fetch = (url: string, init: FetchOptions) => Promise<Response>;

/** What the SDK passes to `fetch`. Every `RequestInit` of a platform accepts it. */
export interface FetchOptions {
  /** The HTTP method. */
  readonly method: string;
  /** The headers, which contain the API key. */
  readonly headers: Record<string, string>;
  /** The fields as JSON. Null if the request has no body. */
  readonly body: string | null;
  /** A redirect is returned, never followed. */
  readonly redirect: "manual";
  /** Ends the attempt when its time is over or the caller gives up. */
  readonly signal: AbortSignal;
}

/** Options of a `Siteward` client. One that is undefined counts as omitted. */
export interface SitewardOptions extends WatchOptions {
  /**
   * The API key, `swk_…`, without whitespace. `isWellFormedApiKey` detects a mistyped key without a request.
   * @default the environment variable `SITEWARD_API_KEY`, if the runtime has an environment
   */
  readonly apiKey?: string | undefined;
  /**
   * The http or https URL of the service, with or without `/api/v1` at its end. A path in front of `/api/v1` is kept.
   * @default the environment variable `SITEWARD_BASE_URL`, or else "http://127.0.0.1:3000"
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
   * How many times a failed request is retried, if a retry is safe; at least 0. A request that the limit of the API key
   * refuses is sent again up to 100 times, as the service asks, unless this is 0.
   * @default 2
   */
  readonly maxRetries?: number | undefined;
  /**
   * How many requests may be on their way at once; at least 1. More calls wait in line, first in, first out, also those of
   * copies of the client for the same API key and base URL. The line has no end, and `timeoutMs` does not count the wait.
   * To limit it, pass `signal: AbortSignal.timeout(…)` to the call.
   * @default 32
   */
  readonly maxConcurrent?: number | undefined;
  /**
   * The name of your program, such as `my-program/1.0`, sent in front of the SDK's own `User-Agent`. Visible ASCII
   * characters and single spaces.
   */
  readonly userAgent?: string | undefined;
  /**
   * Headers to send with every request. Those of a call win over these, and the client's own, such as `Authorization`,
   * win over both.
   */
  readonly headers?: HeaderValues | undefined;
}

/** The options, checked, with defaults filled in. Contains the API key, so it stays inside closures. */
export interface ResolvedSitewardOptions {
  readonly apiKey: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly maxConcurrent: number;
  /** Headers that a call may replace, with their names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly userAgent: string;
  readonly notify: Notify;
}

const isFunction: Rule = [(value) => typeof value === "function", "be a function"];

const rules = {
  // Any string that a header can carry: only the service knows which keys are valid.
  apiKey: matching(/^[\x21-\x7e]+$/, "contain only visible ASCII characters, without whitespace"),
  baseUrl: [
    isBaseUrl,
    'be a URL such as "https://siteward.example.com", without a user name, password, query or fragment',
  ],
  fetch: isFunction,
  ...commonRules,
  maxConcurrent: wholeNumber(1, Number.POSITIVE_INFINITY, "be a whole number of at least 1"),
  userAgent: matching(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, "contain only visible ASCII characters and single spaces"),
  headers: plainObject,
  logger: [
    (value) => logLevels.slice(1).every((level) => typeof Object(value)[level] === "function"),
    "have debug, info, warn and error",
  ],
  logLevel: [(value: (typeof logLevels)[number]) => logLevels.includes(value), `be one of ${logLevels.join(", ")}`],
  onRequest: isFunction,
  onResponse: isFunction,
  onRetry: isFunction,
} satisfies Record<keyof SitewardOptions, Rule>;

/** The options with what the environment says. */
interface FilledSitewardOptions extends SitewardOptions {
  readonly baseUrl: string;
}

/** Reads a variable of the environment. Returns undefined if it is not set, or empty, or if there is no environment. */
type ReadVariable = (name: string) => string | undefined;

/**
 * Fills in the API key and base URL of the environment, and the default base URL.
 *
 * @throws InvalidArgumentError if the options are not a plain object, or a variable is not valid; the message names it
 */
export function addEnvironment(options: SitewardOptions, readVariable: ReadVariable): FilledSitewardOptions {
  check("options", options, plainObject);
  const read = (name: string, rule: Rule): string | undefined => {
    const value = readVariable(name);
    checkOptions({ [name]: value }, { [name]: rule });
    return value;
  };
  return {
    ...options,
    apiKey: options.apiKey ?? read("SITEWARD_API_KEY", rules.apiKey),
    baseUrl: options.baseUrl ?? read("SITEWARD_BASE_URL", rules.baseUrl) ?? "http://127.0.0.1:3000",
  };
}

/**
 * Returns the options with these replaced. One that is undefined replaces nothing.
 *
 * @throws InvalidArgumentError if these are not a plain object
 */
export function replaceOptions(options: SitewardOptions, replaced: SitewardOptions): SitewardOptions {
  check("options", replaced, plainObject);
  const entries = Object.entries(replaced).filter(([, value]) => value !== undefined);
  return { ...options, ...Object.fromEntries(entries) };
}

/** @throws InvalidArgumentError if an option is unknown or not valid; no message contains the API key */
export function resolveSitewardOptions(options: FilledSitewardOptions): ResolvedSitewardOptions {
  const { apiKey, baseUrl, userAgent } = options;
  if (!apiKey) {
    throw new InvalidArgumentError("apiKey is missing. Pass apiKey, or set the environment variable SITEWARD_API_KEY.");
  }
  checkOptions(options, rules);
  const { origin, pathname } = new URL(baseUrl);
  const own = `siteward-sdk/${packageJson.version}`;
  return {
    apiKey,
    baseUrl: origin + pathname.replace(/\/*(\/api\/v1)?\/*$/, ""),
    // Looked up for each request, so that a program or test can replace the global fetch after it creates a client.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: options.timeoutMs ?? 30_000,
    maxRetries: options.maxRetries ?? 2,
    maxConcurrent: options.maxConcurrent ?? 32,
    headers: readHeaders(options.headers),
    userAgent: userAgent === undefined ? own : `${userAgent} ${own}`,
    notify: createNotify(options),
  };
}

function isBaseUrl(value: string): boolean {
  // The part up to the first "/" has an "@" after a user name or password.
  return URL.canParse(value) && /^https?:\/\/[^@/]+\/[^?#]*$/.test(new URL(value).href);
}
