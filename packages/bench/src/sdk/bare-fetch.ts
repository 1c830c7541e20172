import type { BareRequest } from "./calls.ts";

/** Creates a function that sends a request with the headers of the SDK, and parses the answer. It checks only the status. */
export function createBareFetch(url: string, apiKey: string): (request: BareRequest) => Promise<unknown> {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    accept: "application/json, application/problem+json",
    "user-agent": "siteward-sdk/0.0.0",
  };
  return async ({ path, ...init }) => {
    const response = await fetch(`${url}${path}`, { ...init, headers: { ...headers, ...init.headers } });
    if (!response.ok) throw new Error(`${init.method ?? "GET"} ${path} got ${response.status}.`);
    return JSON.parse(await response.text());
  };
}
