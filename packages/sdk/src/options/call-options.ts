import {
  checkOptions,
  commonRules,
  type HeaderValues,
  matching,
  plainObject,
  type Rule,
  readHeaders,
} from "./check-options.ts";
import type { ResolvedSitewardOptions } from "./siteward-options.ts";

/** Options of a single call. */
export interface CallOptions {
  /** Ends the call with an `AbortError`, also while it waits for a retry. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Ends the call only while it waits: in line, or for a retry. A request that is on its way is finished. So after an
   * `AbortError`, the service has not acted. If an earlier attempt may have, its error is thrown.
   */
  readonly waitSignal?: AbortSignal | undefined;
  /**
   * How long one attempt may take, including its response, in milliseconds; at least 1. Default: the client's
   * `timeoutMs`.
   */
  readonly timeoutMs?: number | undefined;
  /** How many times a failed request is retried, if a retry is safe; at least 0. Default: the client's `maxRetries`. */
  readonly maxRetries?: number | undefined;
  /**
   * Headers to add, such as `If-None-Match`. A header whose value is undefined is not sent. The client sets
   * `Authorization`, `Accept`, `Content-Type` and `User-Agent` itself; you cannot replace them.
   */
  readonly headers?: HeaderValues | undefined;
}

/** Options of a call that creates a record. */
export interface CreateOptions extends CallOptions {
  /**
   * Makes it safe to repeat the call, even in another run of your program: within 24 hours, the service answers a
   * repeated key with the result of the first call and creates nothing again. 1 to 255 visible ASCII characters, which
   * must be different for each new record. Default: a random key, which makes the retries within this call safe.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Options of a call that changes or deletes a record. */
export interface ChangeOptions extends CallOptions {
  /**
   * Changes the record only if it still has this entity tag, the `response.etag` of an earlier `withResponse()`, with
   * its quotes. Otherwise the call fails with `precondition_failed`. Undefined is refused, so that a missing tag never
   * becomes a change without a condition: omit the option instead.
   */
  readonly ifMatch?: string | undefined;
}

/** The options of all calls. */
export type AnyCallOptions = CreateOptions & ChangeOptions;

/** The options of the client with those of a call in front of them, checked. */
export interface ResolvedCallOptions extends ResolvedSitewardOptions {
  readonly signal: AbortSignal | undefined;
  /** Ends the waits of the call. `signal` does so, too. */
  readonly waitSignal: AbortSignal | undefined;
}

const signalRule: Rule = [(value) => Object(value).addEventListener !== undefined, "be an AbortSignal"];

/** The rules of a call that takes no option of its own. */
export const readRules: Readonly<Record<keyof CallOptions, Rule>> = {
  ...commonRules,
  signal: signalRule,
  waitSignal: signalRule,
  headers: plainObject,
};

const createRules = {
  ...readRules,
  idempotencyKey: matching(/^[\x21-\x7e]{1,255}$/, "contain 1 to 255 visible ASCII characters, such as a UUID"),
} satisfies Record<keyof CreateOptions, Rule>;

const changeRules = {
  ...readRules,
  ifMatch: [
    (value) => /^(\*|(W\/)?"[\x21\x23-\x7e]*")$/.test(String(value)),
    "be an entity tag with its quotes, such as the `response.etag` of `withResponse()`, or be omitted",
    true,
  ],
} satisfies Record<keyof ChangeOptions, Rule>;

/** Every POST takes an idempotency key, and every other change takes a condition. */
function rulesOf(method: string): Readonly<Record<string, Rule>> {
  if (method === "GET") return readRules;
  return method === "POST" ? createRules : changeRules;
}

/** @throws InvalidArgumentError if an option is unknown for this method, or not valid */
export function resolveCallOptions(
  options: AnyCallOptions,
  method: string,
  client: ResolvedSitewardOptions,
): ResolvedCallOptions {
  checkOptions(options, rulesOf(method));
  const { idempotencyKey, ifMatch, signal, waitSignal } = options;
  const headers = { ...client.headers, ...readHeaders(options.headers) };
  if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
  // A proxy that compresses changes tags, which then never match: nginx makes them weak, and Apache adds `-gzip`.
  if (ifMatch !== undefined) headers["if-match"] = ifMatch.replace(/W\/|-[a-z]+/g, "");
  return {
    ...client,
    signal,
    waitSignal: signal && waitSignal ? AbortSignal.any([signal, waitSignal]) : (waitSignal ?? signal),
    timeoutMs: options.timeoutMs ?? client.timeoutMs,
    maxRetries: options.maxRetries ?? client.maxRetries,
    headers,
  };
}
