import type { Account } from "../row.ts";
import type { HttpClient } from "./http-client.ts";

/** Reads the domains of an account's websites page by page, as a client does. */
export async function readDomainsThroughApi(client: HttpClient, { apiKey }: Account): Promise<string[]> {
  const domains: string[] = [];
  let path: string | undefined = "/api/v1/websites?per_page=100&sort=asc";
  while (path !== undefined) {
    const { status, text, json } = await client.send("GET", path, { apiKey });
    if (!isPage(json)) throw new Error(`A list was answered with ${status}: ${text}`);
    domains.push(...json.data.map(({ domain }) => domain));
    path = json.links.next === null ? undefined : toPath(json.links.next);
  }
  return domains;
}

interface Page {
  readonly data: readonly { readonly domain: string }[];
  readonly links: { readonly next: string | null };
}

/** A minimal check. Other tests check the contract. */
function isPage(json: unknown): json is Page {
  return typeof json === "object" && json !== null && "data" in json && "links" in json;
}

function toPath(link: string): string {
  const { pathname, search } = new URL(link);
  return `${pathname}${search}`;
}
