import { InvalidArgumentError } from "../errors/invalid-argument-error.ts";
import { checkMaxRetries, checkTimeoutMs } from "./check-limits.ts";
import type { ResolvedSitewardOptions } from "./siteward-options.ts";

/** Options of a single call. */
export interface CallOptions {
  /** Ends the call with an `AbortError`, also while it waits for a retry. */
  readonly signal?: AbortSignal | undefined;
  /**
   * How long one attempt may take, including its response, in milliseconds; at least 1. Default: the client's
   * `timeoutMs`.
   */
  readonly timeoutMs?: number | undefined;
  /** How many times a failed request is retried, if a retry is safe; at least 0. Default: the client's `maxRetries`. */
  readonly maxRetries?: number | undefined;
  /**
   * Headers to add, such as `If-None-Match`. A header whose value is undefined is not sent. The client sets `Authorization`,
   * `Accept`, `Content-Type` and `User-Agent` itself; you cannot replace them.
   */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
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

/** The options of a call, checked, with the client's defaults filled in. */
export interface ResolvedCallOptions {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly headers: Headers;
}

/** @throws InvalidArgumentError if an option is not valid */
export function resolveCallOptions(options: AnyCallOptions, client: ResolvedSitewardOptions): ResolvedCallOptions {
  const headers = readHeaders(options.headers ?? {});
  if (options.idempotencyKey !== undefined) headers.set("idempotency-key", checkIdempotencyKey(options.idempotencyKey));
  if ("ifMatch" in options) headers.set("if-match", readIfMatch(options.ifMatch));
  return {
    signal: options.signal,
    timeoutMs: checkTimeoutMs(options.timeoutMs ?? client.timeoutMs),
    maxRetries: checkMaxRetries(options.maxRetries ?? client.maxRetries),
    headers,
  };
}

function readHeaders(values: Readonly<Record<string, string | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    try {
      headers.set(name, value);
    } catch {
      // The runtime's own message quotes the value, which may be a secret.
      throw new InvalidArgumentError(
        `headers: ${JSON.stringify(name)} has a name or value that is not valid in HTTP. Remove or replace it.`,
      );
    }
  }
  return headers;
}

function checkIdempotencyKey(idempotencyKey: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) return idempotencyKey;
  throw new InvalidArgumentError("idempotencyKey must contain 1 to 255 visible ASCII characters, such as a UUID.");
}

/**
 * A weak tag is sent as a strong one, because a weak one never matches (RFC 9110, section 13.1.1). The service sends only
 * strong tags of records; a proxy that compresses responses, such as nginx, makes them weak.
 */
function readIfMatch(ifMatch: string | undefined): string {
  const tag = ifMatch?.replace(/^W\/(?=")/, "");
  if (tag !== undefined && /^(\*|"[\x21\x23-\x7e]*")$/.test(tag)) return tag;
  throw new InvalidArgumentError(
    `ifMatch must be an entity tag with its quotes, such as '"7-1"'. Pass the \`response.etag\` of \`withResponse()\`, or omit ifMatch.`,
  );
}
