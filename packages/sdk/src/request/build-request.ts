import { check, plainObject, type Rule } from "../options/check-options.ts";
import type { ResolvedSitewardOptions } from "../options/siteward-options.ts";
import { createRedact, type Redact } from "./redact.ts";

const id: Rule = [(value: number) => Number.isSafeInteger(value) && value > 0, "be a whole number of at least 1"];

/** One call of an operation of the API. */
export interface ApiRequest {
  readonly route: { readonly method: string; readonly path: string };
  /** The values of the `:name` segments in the path. Without them, the path is sent as it is. */
  readonly parameters?: Readonly<Record<string, number>>;
  readonly query?: object;
  readonly body?: unknown;
}

/** A request as it is sent, and what may be said about it: no query, which is what the user searches for, and no key. */
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
  /** To be said: method and URL. */
  readonly endpoint: string;
  readonly redact: Redact;
}

/**
 * Builds the HTTP request for a call. The client's own headers win over `callHeaders`, which the caller passed.
 *
 * @throws InvalidArgumentError if a path parameter is not a whole number of at least 1, or the query is not a plain object
 */
export function buildRequest(
  { route, parameters, query = {}, body }: ApiRequest,
  client: ResolvedSitewardOptions,
  callHeaders: Readonly<Record<string, string>>,
): HttpRequest {
  check("query", query, plainObject);
  const { "content-type": _replaced, ...headers } = callHeaders;
  const path = parameters === undefined ? route.path : fillPath(route.path, parameters);
  const url = client.baseUrl + path;
  const redact = createRedact(client.apiKey);
  return {
    method: route.method,
    path: redact(path),
    url: redact(url),
    endpoint: redact(`${route.method} ${url}`),
    target: url + encodeQuery(query),
    headers: {
      ...headers,
      authorization: `Bearer ${client.apiKey}`,
      accept: "application/json, application/problem+json",
      "user-agent": client.userAgent,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    // JSON.stringify omits undefined fields, so they are not sent.
    body: body === undefined ? null : JSON.stringify(body),
    redact,
  };
}

/**
 * Accepts only whole numbers, so that no ID can change the path: a URL parser resolves even an encoded ".." segment.
 */
function fillPath(path: string, parameters: Readonly<Record<string, number>>): string {
  return path.replace(/:(\w+)/g, (_segment, name: string) => {
    check(name, parameters[name], id);
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
