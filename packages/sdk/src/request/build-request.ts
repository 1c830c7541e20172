import type { ResolvedCallOptions } from "../options/call-options.ts";
import { check, checkOptions, matching, plainObject, type Rule, wholeNumber } from "../options/check-options.ts";

/** One call of an operation of the API. */
export interface ApiRequest {
  readonly route: { readonly method: string; readonly path: string };
  /** The values of the `:name` segments in the path. Without them, the path is sent as it is. */
  readonly parameters?: Readonly<Record<string, number>>;
  readonly query?: object;
  readonly body?: unknown;
}

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

/** A request as it is sent, and what may be said of it: no query, and no key. */
export interface HttpRequest {
  readonly method: string;
  /** The URL that it is sent to, with the query. */
  readonly target: string;
  /** Names are in small letters. */
  readonly headers: Record<string, string>;
  readonly body: string | null;
  /** To be said: the path without that of `baseUrl`. */
  readonly path: string;
  /** To be said. */
  readonly url: string;
  readonly redact: Redact;
}

/**
 * Checks a request. Whatever the path is, it cannot change the origin, because it follows the origin and starts with
 * "/".
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

/**
 * Builds the HTTP request for a call. The client's own headers win over those that the caller passed.
 *
 * @throws InvalidArgumentError if a path parameter is not a whole number of at least 1, or the query is not a plain
 *   object
 */
export function buildRequest(
  { route, parameters, query = {}, body }: ApiRequest,
  options: ResolvedCallOptions,
): HttpRequest {
  check("query", query, plainObject);
  const { "content-type": _replaced, ...headers } = options.headers;
  const path = parameters === undefined ? route.path : fillPath(route.path, parameters);
  const url = options.baseUrl + path;
  const redact: Redact = (text) => text.replaceAll(options.apiKey, "[API key]");
  return {
    method: route.method,
    path: redact(path),
    url: redact(url),
    target: url + encodeQuery(query),
    headers: {
      ...headers,
      authorization: `Bearer ${options.apiKey}`,
      accept: "application/json, application/problem+json",
      "user-agent": options.userAgent,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    // JSON.stringify omits undefined fields, so they are not sent.
    body: body === undefined ? null : JSON.stringify(body),
    redact,
  };
}

/** Accepts only whole numbers, since a URL parser resolves even an encoded ".." segment. */
function fillPath(path: string, parameters: Readonly<Record<string, number>>): string {
  return path.replace(/:(\w+)/g, (_segment, name: string) => {
    check(name, parameters[name], wholeNumber(1));
    return String(parameters[name]);
  });
}

/** A parameter that is undefined or null is not sent. An array is sent as one parameter for each item. */
function encodeQuery(query: object): string {
  const pairs: [string, string][] = [];
  for (const [name, value] of Object.entries<unknown>({ ...query })) {
    for (const item of [value].flat()) if (item !== undefined && item !== null) pairs.push([name, String(item)]);
  }
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

/** Removes the API key from a string, wherever a server or a `fetch` may have echoed it. */
export type Redact = (text: string) => string;
