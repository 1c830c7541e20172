import { Siteward, type Website } from "@siteward/sdk";
import type { InstalledServer } from "./start-installed-server.ts";

/** Returns domains such as `bulk-001.example`. */
export function domains(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${name}-${String(at + 1).padStart(3, "0")}.example`);
}

type Settings = Omit<Parameters<Siteward["websites"]["create"]>[0], "domain">;

export function createAll(siteward: Siteward, names: readonly string[], settings: Settings = {}): Promise<Website[]> {
  return Promise.all(names.map((domain) => siteward.websites.create({ domain, ...settings })));
}

/** Returns the ID of a new website. */
export async function createOne(siteward: Siteward, domain: string, settings: Settings = {}): Promise<number> {
  return (await siteward.websites.create({ domain, ...settings })).id;
}

export function readAll(siteward: Siteward, term: string): Promise<Website[]> {
  return siteward.websites.list({ search: term }).toArray({ limit: Number.POSITIVE_INFINITY });
}

/** Creates an account that looks like that of an agency. */
export async function createAgency({ url, createKey }: InstalledServer) {
  const apiKey = await createKey();
  const siteward = new Siteward({ apiKey, baseUrl: url });
  const client = { exclude_ips: ["203.0.113.0/24"], exclude_params: ["utm_*", "gclid"] };
  await createAll(
    siteward,
    ["bücher.example", "intranet.client.example", "a-rather-long-name-of-a-website.client.example"],
    { privacy: 1 },
  );
  await createAll(siteward, ["docs.client.example", "blog.client.example"], client);
  return { apiKey, siteward, websiteId: await createOne(siteward, "shop.client.example", client) };
}
