import type { Account } from "../row.ts";
import { createHttpClient } from "./http-client.ts";

const entries = 500;

/** Creates websites with the maximum number of exclusions, each a full IPv6 address. One takes 18 kB in a list. */
export async function createLongWebsites(url: string, { apiKey }: Account, count: number): Promise<void> {
  using client = createHttpClient(url, { connections: 4 });
  const addresses = Array.from({ length: entries }, (_, index) => `2001:db8:1111:2222:3333:4444:${5000 + index}:8888`);
  const send = async (index: number) => {
    const body = { domain: `long-${index}.example.com`, exclude_ips: addresses };
    const { status, text } = await client.send("POST", "/api/v1/websites", { apiKey, body });
    if (status !== 201) throw new Error(`A create was answered with ${status}: ${text}`);
  };
  await Promise.all(Array.from({ length: count }, (_, index) => send(index)));
}
