import type { MirrorClient } from "../follow/mirror-client.ts";

/** Whose websites a file contains: those of an API key at a URL. */
export interface Owner {
  readonly baseUrl: string;
  /** A digest of the API key, which does not reveal it. */
  readonly apiKey: string;
}

/**
 * Returns whose websites a client reads, without a request, because a file must be of use while the service is away. A client
 * shows its API key to nobody but its `fetch`, so a copy of it sends a request that goes nowhere. The copy has another URL, so
 * that it does not wait in the line of the client.
 *
 * @param digest SHA-256 as hexadecimal digits
 */
export async function identifyClient(client: MirrorClient, digest: (text: string) => string): Promise<Owner> {
  let authorization = "";
  const copy = client.withOptions({
    baseUrl: "http://identify.invalid",
    async fetch(_url, { headers }) {
      authorization = headers["authorization"] ?? "";
      return new Response('{"data":[],"meta":{"next_cursor":null}}');
    },
    // Nobody should see a request that is not sent.
    logLevel: "off",
    maxRetries: 0,
    onRequest: () => {},
    onResponse: () => {},
  });
  await copy.websites.list({ per_page: 100 }, { signal: new AbortController().signal });
  return { baseUrl: client.baseUrl, apiKey: digest(`siteward-mirror ${authorization}`).slice(0, 32) };
}
