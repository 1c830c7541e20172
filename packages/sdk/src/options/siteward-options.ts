import { isWellFormedApiKey } from "@siteward/contract/plain";
import packageJson from "../../package.json" with { type: "json" };
import { InvalidArgumentError } from "../errors/siteward-error.ts";
import { Line } from "../retry/line.ts";
import {
  check,
  checkOptions,
  commonRules,
  type HeaderValues,
  matching,
  plainObject,
  type Rule,
  readHeaders,
  wholeNumber,
} from "./check-options.ts";
import type { WatchOptions } from "./hooks.ts";

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
   * The API key, `swk_…`, without whitespace. A mistyped one is an error before a request, as `isWellFormedApiKey` says.
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
   * How many requests may be on their way at once; at least 1. More calls wait in line, first in, first out, also those
   * of copies of the client for the same API key and base URL. The line has no end, and `timeoutMs` does not count the
   * wait. To limit it, pass `signal: AbortSignal.timeout(…)` to the call.
   * @default 32
   */
  readonly maxConcurrent?: number | undefined;
  /**
   * How many bytes the body of a response may have, after decompression; at least 1. A call that gets more fails with
   * `unexpected_response`. The largest page of the service has less than half of the default.
   * @default 16777216
   */
  readonly maxResponseBytes?: number | undefined;
  /** The name of your program, such as `my-program/1.0`, sent in front of the SDK's own `User-Agent`. */
  readonly userAgent?: string | undefined;
  /** Sent with every request. Those of a call win over these, and the client's own win over both. */
  readonly headers?: HeaderValues | undefined;
}

/** The options, checked, with defaults filled in. Contains the API key, so it stays private. */
export interface ResolvedSitewardOptions extends Filled<Omit<SitewardOptions, keyof WatchOptions | "headers">> {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Headers that a call may replace, with their names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly hooks: WatchOptions;
  /** In which the requests wait. A copy of a client gets that of the client after it is created. */
  line: Line;
}

type Filled<Options> = { readonly [Name in keyof Options]-?: NonNullable<Options[Name]> };

const isFunction: Rule = [(value) => typeof value === "function", "be a function"];

const rules = {
  apiKey: matching({ test: isWellFormedApiKey }, "be an entire API key (swk_…); this one is mistyped"),
  baseUrl: [
    isBaseUrl,
    'be a URL such as "https://siteward.example.com", without a user name, password, query or fragment',
  ],
  fetch: isFunction,
  ...commonRules,
  maxConcurrent: wholeNumber(1),
  maxResponseBytes: wholeNumber(1),
  userAgent: matching(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, "contain only visible ASCII characters and single spaces"),
  headers: plainObject,
  onRequest: isFunction,
  onResponse: isFunction,
  onRetry: isFunction,
} satisfies Record<keyof SitewardOptions, Rule>;

/**
 * Checks the options, and fills in what the environment says and the defaults.
 *
 * @throws InvalidArgumentError if an option is unknown or not valid, or a variable is not; no message contains the key
 */
export function resolveSitewardOptions(options: SitewardOptions): ResolvedSitewardOptions {
  check("options", options, plainObject);
  const apiKey = options.apiKey ?? readVariable("SITEWARD_API_KEY", rules.apiKey);
  const baseUrl = options.baseUrl ?? readVariable("SITEWARD_BASE_URL", rules.baseUrl) ?? "http://127.0.0.1:3000";
  const { userAgent } = options;
  if (!apiKey) {
    throw new InvalidArgumentError("apiKey is missing. Pass apiKey, or set the environment variable SITEWARD_API_KEY.");
  }
  checkOptions({ ...options, apiKey, baseUrl }, rules);
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
    maxResponseBytes: options.maxResponseBytes ?? 16_777_216,
    headers: readHeaders(options.headers),
    userAgent: userAgent === undefined ? own : `${userAgent} ${own}`,
    hooks: options,
    line: new Line(),
  };
}

function isBaseUrl(value: string): boolean {
  // The part up to the first "/" has an "@" after a user name or password.
  return URL.canParse(value) && /^https?:\/\/[^@/]+\/[^?#]*$/.test(new URL(value).href);
}

/**
 * Reads a variable of the runtime's environment. Returns undefined if it is not set, or empty, or cannot be read.
 *
 * @throws InvalidArgumentError if it is not valid; the message names it
 */
function readVariable(name: string, rule: Rule): string | undefined {
  // Its type depends on the runtime, which may have no process.
  const runtime: { readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> } } = globalThis;
  let value: string | undefined;
  try {
    value = runtime.process?.env?.[name] || undefined;
  } catch {
    // Deno without --allow-env.
  }
  if (value !== undefined) check(name, value, rule);
  return value;
}
