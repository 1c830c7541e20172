import { check, checkOptions, matching, plainObject, type Rule } from "../options/check-options.ts";
import type { ApiRequest } from "./build-request.ts";

/** A request that the SDK has no method for. */
export interface RawRequest {
  /** A POST is sent with an idempotency key, so that it can be retried. */
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The path, such as `/api/v1/websites`. It starts with one `/` and contains no query or fragment. */
  readonly path: string;
  /** A parameter that is undefined or null is not sent. An array is sent as one parameter for each item. */
  readonly query?: object;
  /** Sent as JSON. A GET has none. */
  readonly body?: unknown;
}

/**
 * Checks a request. Whatever the path is, it cannot change the origin, because it follows the origin and starts with "/".
 *
 * @throws InvalidArgumentError if it is not valid
 */
export function readRawRequest(request: RawRequest): ApiRequest {
  check("request", request, plainObject);
  const { method = "", path = "" } = request;
  const rules = {
    method: matching(/^(GET|POST|PUT|DELETE)$/, "be GET, POST, PUT or DELETE"),
    path: matching(/^\/(?!\/)[^?#]*$/, "start with one / and contain no query or fragment"),
    query: plainObject,
    // Every fetch refuses a GET with a body, and the call would be retried as if the connection had failed.
    body: [() => method !== "GET", "be omitted if method is GET"],
  } satisfies Record<keyof RawRequest, Rule>;
  checkOptions({ ...request, method, path }, rules);
  return { ...request, route: request };
}
