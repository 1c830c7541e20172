import type { Problem } from "@siteward/contract/types";
import { type RateLimit, readRateLimit } from "../response-headers.ts";
import { SitewardError } from "./siteward-error.ts";

/** Every error code in the service's contract. */
export type ErrorCode = Problem["code"];

/**
 * The code of an `ApiError`: one of the contract, `not_modified` after `If-None-Match`, `unexpected_response` if it did
 * not come from the service (such as a proxy's page or a redirect), or one that only a newer service has.
 */
export type ApiErrorCode = ErrorCode | "not_modified" | "unexpected_response" | (string & {});

/** The values that an `ApiError` is created from. */
export type ApiErrorFields = Pick<ApiError, "code" | "status" | "title" | "detail" | "headers"> &
  Partial<Pick<ApiError, "problem" | "retryAfterMs">>;

/**
 * The service answered with an error. The message contains the detail and what is wrong with each field.
 *
 * @example
 * try {
 *   await siteward.websites.create({ domain });
 * } catch (error) {
 *   if (!isApiError(error, "domain_taken")) throw error;
 *   console.log(`already tracked as website ${error.problem?.website_id}`);
 * }
 */
export class ApiError extends SitewardError {
  static {
    ApiError.prototype.name = "ApiError";
  }

  /** Stable identifier of the error, such as `not_found`. */
  declare readonly code: ApiErrorCode;

  /** The HTTP status. */
  declare readonly status: number;
  /** Short summary, the same for every error with this code. */
  declare readonly title: string;
  /** What went wrong this time, and what to do instead. */
  declare readonly detail: string;
  /** Each invalid field with its messages. Empty if the error is not about fields. */
  declare readonly errors: Readonly<Record<string, readonly string[]>>;
  /** Identifies the request in the server's log. Undefined if the response has no ID. */
  declare readonly requestId: string | undefined;
  /** How long to wait before you retry, in milliseconds, as the service asks. Undefined if it does not say. */
  declare readonly retryAfterMs: number | undefined;
  /** How much of the API key's rate limit is left. Undefined if the response does not say. */
  declare readonly rateLimit: RateLimit | undefined;
  /** The full problem details (RFC 9457). Undefined if the response has none, as with `unexpected_response`. */
  declare readonly problem: Problem | undefined;
  /** All headers of the response. */
  declare readonly headers: Headers;

  constructor(fields: ApiErrorFields) {
    const { code, headers, problem } = fields;
    const errors = problem?.errors ?? {};
    const requestId = headers.get("x-request-id") ?? problem?.request_id;
    super(code, describe(fields, errors, requestId));
    const rateLimit = readRateLimit(headers);
    Object.assign(this, { problem, retryAfterMs: undefined }, fields, { errors, requestId, rateLimit });
  }
}

/**
 * Checks whether an error is an `ApiError` and, if you pass a `code`, whether it has that code.
 *
 * @example
 * if (isApiError(error, "not_found")) return undefined;
 */
export function isApiError<Code extends ApiErrorCode = ApiErrorCode>(
  error: unknown,
  code?: Code,
): error is ApiError & { readonly code: Code } {
  return error instanceof ApiError && (code === undefined || error.code === code);
}

function describe({ code, status, detail }: ApiErrorFields, errors: ApiError["errors"], requestId?: string): string {
  const fields = Object.entries(errors).flatMap(([field, messages]) => {
    const unsaid = messages.filter((message) => !detail.includes(message));
    return unsaid.map((message) => endSentence(`${field} ${message}`));
  });
  const reference = `(${status} ${code}${requestId === undefined ? "" : `, request ${requestId}`})`;
  return [endSentence(detail), ...fields, reference].join(" ");
}

/** Adds a period unless the text ends with one. A proxy, a system or a field's message may leave it out. */
export function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** What to do if a proxy answers with 407. */
export const proxyAdvice =
  "Put the user and password of the proxy into its URL: http://user:password@proxy.example:3128.";
