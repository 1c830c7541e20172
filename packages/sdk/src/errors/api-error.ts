import type { Problem } from "@siteward/contract/types";
import { SitewardError } from "./siteward-error.ts";

/** The closed set of errors that the service's contract names. */
export type ErrorCode = Problem["code"];

/**
 * The code of an `ApiError`: one of the contract, `unexpected_response` where the answer is not one of the service's
 * (a proxy's page, a redirect), or one that a newer service knows.
 */
export type ApiErrorCode = ErrorCode | "unexpected_response" | (string & {});

/** What an `ApiError` is made of. */
export interface ApiErrorFields {
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly headers: Headers;
  readonly problem?: Problem | undefined;
  readonly retryAfterMs?: number | undefined;
}

/**
 * The service answered, and not with success. Its message holds the detail and what is wrong with each field.
 *
 * @example
 * try {
 *   await siteward.websites.create({ domain });
 * } catch (error) {
 *   if (!isApiError(error, "domain_taken")) throw error;
 *   console.log(`it is website ${error.problem?.website_id} already`);
 * }
 */
export class ApiError extends SitewardError {
  static {
    ApiError.prototype.name = "ApiError";
  }

  declare readonly code: ApiErrorCode;

  /** The HTTP status. */
  readonly status: number;
  /** Short summary, the same for every error of this code. */
  readonly title: string;
  /** What went wrong this time, and what to do instead. */
  readonly detail: string;
  /** Every refused field with its messages; empty where none is to blame. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** Identifies the request in the server's log; undefined where the answer does not name it. */
  readonly requestId: string | undefined;
  /** How long the service asks to wait, in milliseconds; undefined where it does not say. */
  readonly retryAfterMs: number | undefined;
  /** The whole problem document (RFC 9457); undefined with `unexpected_response`. */
  readonly problem: Problem | undefined;
  /** All headers of the answer. */
  readonly headers: Headers;

  constructor({ code, status, title, detail, headers, problem, retryAfterMs }: ApiErrorFields) {
    const errors = problem?.errors ?? {};
    const requestId = headers.get("x-request-id") ?? problem?.request_id;
    super(code, describe({ code, status, detail, errors, requestId }));
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.errors = errors;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
    this.problem = problem;
    this.headers = headers;
  }
}

function describe(error: Pick<ApiError, "code" | "status" | "detail" | "errors" | "requestId">): string {
  const fields = Object.entries(error.errors).flatMap(([field, messages]) => {
    const unsaid = messages.filter((message) => !error.detail.includes(message));
    return unsaid.length === 0 ? [] : [`; ${field}: ${unsaid.join(", ")}`];
  });
  const request = error.requestId === undefined ? "" : `, request ${error.requestId}`;
  return `${error.detail}${fields.join("")} (${error.status} ${error.code}${request})`;
}
