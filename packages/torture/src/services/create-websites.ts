import { createHttpClient } from "../client/http-client.ts";

/**
 * Creates websites on a few connections, in any order. A `fetch` for each of 10,001 websites took 2 s of a core more
 * than this does.
 *
 * @throws Error if a website was not created
 */
export async function createWebsites(url: string, apiKey: string, domains: readonly string[]): Promise<void> {
  using client = createHttpClient(url, { connections: 8 });
  const create = async (domain: string) => {
    const { status, text } = await client.send("POST", "/api/v1/websites", { apiKey, body: { domain } });
    if (status !== 201) throw new Error(`${domain} was not created: ${text}`);
  };
  await Promise.all(domains.map(create));
}
