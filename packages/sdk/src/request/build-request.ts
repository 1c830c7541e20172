import { InvalidArgumentError } from "../errors/invalid-argument-error.ts";
import type { ResolvedSitewardOptions } from "../options/siteward-options.ts";
import type { HttpRequest } from "./send-once.ts";

/** One call of an operation of the API. */
export interface ApiRequest {
  readonly route: { readonly method: string; readonly path: string };
  /** The values of the `:name` segments in the path. */
  readonly parameters?: Readonly<Record<string, number>>;
  readonly query?: object;
  readonly body?: object;
}

/**
 * Builds the HTTP request for a call. The client's own headers win over `callHeaders`, which the caller passed.
 *
 * @throws InvalidArgumentError if a path parameter is not a whole number of at least 1
 */
export function buildRequest(
  apiRequest: ApiRequest,
  client: ResolvedSitewardOptions,
  callHeaders: Headers,
): HttpRequest {
  const { route, parameters = {}, query = {}, body } = apiRequest;
  const headers = new Headers(callHeaders);
  headers.set("authorization", `Bearer ${client.apiKey}`);
  headers.set("accept", "application/json, application/problem+json");
  headers.set("user-agent", client.userAgent);
  headers.delete("content-type");
  if (body !== undefined) headers.set("content-type", "application/json");
  return {
    method: route.method,
    url: `${client.baseUrl}${fillPath(route.path, parameters)}${encodeQuery(query)}`,
    headers,
    // JSON.stringify omits undefined fields, so they are not sent.
    body: body === undefined ? null : JSON.stringify(body),
  };
}

/**
 * Accepts only whole numbers, so that no ID can change the path: a URL parser resolves even an encoded ".." segment.
 */
function fillPath(path: string, parameters: Readonly<Record<string, number>>): string {
  return path.replace(/:(\w+)/g, (_segment, name: string) => {
    const value = parameters[name];
    if (value === undefined || !Number.isSafeInteger(value) || value < 1) {
      throw new InvalidArgumentError(`${name} must be a whole number of at least 1.`);
    }
    return String(value);
  });
}

/** A parameter that is undefined or null is not sent. An array is sent as one parameter for each item. */
function encodeQuery(query: object): string {
  const search = new URLSearchParams();
  const entries: [string, unknown][] = Object.entries(query);
  for (const [name, value] of entries) {
    const items: unknown[] = Array.isArray(value) ? value : [value];
    for (const item of items) {
      if (item !== undefined && item !== null) search.append(name, String(item));
    }
  }
  return search.size === 0 ? "" : `?${search}`;
}
