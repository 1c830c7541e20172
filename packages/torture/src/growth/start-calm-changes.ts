import { createHttpClient } from "../client/http-client.ts";
import { type Probed, startProbe } from "../client/probe.ts";

const websites = "/api/v1/websites";

/** Starts a client that updates one website of its account again and again until it is stopped. */
export async function startCalmChanges(url: string, apiKey: string): Promise<{ stop: () => Promise<Probed> }> {
  using client = createHttpClient(url, { connections: 1 });
  const created = await client.send("POST", websites, { apiKey, body: { domain: `calm-${Date.now()}.example.com` } });
  const { id } = JSON.parse(created.text).data;
  return startProbe(url, { path: `${websites}/${id}`, apiKey, bodyOf: (count) => ({ email: count % 2 }) });
}
