import { InvalidArgumentError } from "../errors/invalid-argument-error.ts";
import { checkMaxRetries, checkTimeoutMs } from "./check-limits.ts";
import type { ResolvedSitewardOptions } from "./siteward-options.ts";

/** What a single call does differently. */
export interface CallOptions {
  /** Ends the call with an `AbortError`, also while it waits to repeat a request. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that one attempt may take, its answer included; from 1. By default the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed request is repeated; from 0. By default the client's `maxRetries`. */
  readonly maxRetries?: number | undefined;
  /**
   * Headers to add, such as `If-Match`. One that is undefined is left out. `Authorization`, `Accept`, `Content-Type`
   * and `User-Agent` are the client's own and cannot be replaced.
   */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The options of a call with the client's defaults filled in. */
export interface ResolvedCallOptions {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly headers: Headers;
}

/** @throws InvalidArgumentError where an option is unusable */
export function resolveCallOptions(options: CallOptions, client: ResolvedSitewardOptions): ResolvedCallOptions {
  return {
    signal: options.signal,
    timeoutMs: checkTimeoutMs(options.timeoutMs ?? client.timeoutMs),
    maxRetries: checkMaxRetries(options.maxRetries ?? client.maxRetries),
    headers: readHeaders(options.headers ?? {}),
  };
}

function readHeaders(values: Readonly<Record<string, string | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    try {
      headers.set(name, value);
    } catch {
      // The runtime's own message would quote the value, which may be a secret.
      throw new InvalidArgumentError(`headers: ${JSON.stringify(name)} has a name or value that HTTP does not allow`);
    }
  }
  return headers;
}
