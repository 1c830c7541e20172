import { type RateLimit, readRateLimit } from "../headers/rate-limit.ts";
import type { Answer } from "./answer.ts";

/** Status, headers and IDs of the response that a result came with. */
export interface ResponseInfo {
  /** The HTTP status. */
  readonly status: number;
  /** All headers of the response. */
  readonly headers: Headers;
  /** The entity tag of the record, page or account, with its quotes, for `ifMatch`. Undefined if the response has none. */
  readonly etag: string | undefined;
  /** Identifies the request in the server's log. Undefined if the response has no ID. */
  readonly requestId: string | undefined;
  /** How many times the request was retried before this response: 0 if the first attempt succeeded. */
  readonly retryCount: number;
  /** How much of the API key's rate limit is left. Undefined if the response does not say, as with a key without one. */
  readonly rateLimit: RateLimit | undefined;
}

/** Returns what a caller sees of a response besides its body. */
export function readResponseInfo({ status, readHeaders, call }: Answer): ResponseInfo {
  const headers = readHeaders();
  return {
    status,
    headers,
    etag: headers.get("etag") ?? undefined,
    requestId: headers.get("x-request-id") ?? undefined,
    retryCount: call.attempts - 1,
    rateLimit: readRateLimit(headers),
  };
}
