import type { Problem } from "@siteward/contract/types";

/** Which requests fail or wait. */
export interface RequestMatch {
  /**
   * How many requests; at least 1. `Infinity` is all of them.
   * @default 1
   */
  readonly times?: number | undefined;
  /**
   * Only requests with this method.
   * @default any method
   */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "DELETE" | undefined;
  /**
   * Only requests to this path without its query, such as `/api/v1/websites/7`, or `/api/v1/websites/:id` for any ID.
   * @default any path
   */
  readonly path?: string | undefined;
  /**
   * Whether it happens before the request is carried out, so that nothing is changed, or after, so that only the response is
   * lost or late.
   * @default "before"
   */
  readonly when?: "before" | "after" | undefined;
}

/** The service answers with one of its errors. */
export interface ProblemFailure extends RequestMatch {
  /** The code of the error, such as `unavailable`. Its status and title follow from it. */
  readonly code: Problem["code"];
  /** Other members of the problem details, such as `detail`, `errors` or `outcome`. */
  readonly problem?: Partial<Omit<Problem, "code" | "status" | "title" | "type" | "request_id">> | undefined;
  /** Headers of the response, such as `{ "Retry-After": "2" }`, which the service sends with `rate_limited` and `unavailable`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Something else answers, such as a proxy. */
export interface StatusFailure extends RequestMatch {
  /** The status, from 200 to 599. */
  readonly status: number;
  /**
   * The body of the response.
   * @default a page of HTML
   */
  readonly body?: string | undefined;
  /**
   * The headers of the response.
   * @default { "Content-Type": "text/html" }
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** No response arrives: `fetch` rejects. */
export interface NetworkFailure extends RequestMatch {
  /**
   * True. With `when: "before"` the connection is refused, with `when: "after"` it is lost after the request was carried
   * out.
   */
  readonly networkError: true;
}

/** How a request fails. */
export type Failure = ProblemFailure | StatusFailure | NetworkFailure;

/** How long the response to a request takes. */
export interface Delay extends RequestMatch {
  /** Milliseconds of real time, at least 0. With `Infinity`, no response ever comes, until the caller aborts the request. */
  readonly delayMs: number;
}
