import type { Route } from "@siteward/contract/routes";
import { InvalidArgumentError } from "../errors/invalid-argument-error.ts";
import type { ResolvedSitewardOptions } from "../options/siteward-options.ts";
import type { HttpRequest } from "./send-once.ts";

/** One call of an operation, in the interface's terms. */
export interface ApiRequest {
  readonly route: Route;
  /** The values of the path's `:name` segments. */
  readonly parameters?: Readonly<Record<string, number>>;
  readonly query?: object;
  readonly body?: object;
}

/**
 * Turns a call into the HTTP request that makes it. `callHeaders` are the caller's; the client's own win over them.
 *
 * @throws InvalidArgumentError where a path parameter is not a whole number from 1
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
    // JSON leaves out a field that is undefined, which is what "not sent" means.
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

/** Only whole numbers pass, so that no id can change the path: a URL parser drops an encoded ".." segment too. */
function fillPath(path: string, parameters: Readonly<Record<string, number>>): string {
  return path.replace(/:(\w+)/g, (_segment, name: string) => {
    const value = parameters[name];
    if (value === undefined || !Number.isSafeInteger(value) || value < 1) {
      throw new InvalidArgumentError(`${name} must be a whole number from 1`);
    }
    return String(value);
  });
}

/** A parameter that is undefined or null is not sent; an array is sent as the parameter repeated. */
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
