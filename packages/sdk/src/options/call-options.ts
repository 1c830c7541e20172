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
   * Headers to add, such as `If-Match`. A header whose value is undefined is not sent. The client sets `Authorization`,
   * `Accept`, `Content-Type` and `User-Agent` itself; you cannot replace them.
   */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The options of a call, checked, with the client's defaults filled in. */
export interface ResolvedCallOptions {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly headers: Headers;
}

/** @throws InvalidArgumentError if an option is not valid */
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
      // The runtime's own message quotes the value, which may be a secret.
      throw new InvalidArgumentError(
        `headers: ${JSON.stringify(name)} has a name or value that is not valid in HTTP. Remove or replace it.`,
      );
    }
  }
  return headers;
}
