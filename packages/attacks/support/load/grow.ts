import type { Database, EngineName } from "@siteward/testing/engines/database";
import type { Random } from "@siteward/testing/random";
import { createHttpClient, type HttpClient } from "../client/http-client.ts";
import type { RawAnswer } from "../client/raw-connection.ts";
import { readMember } from "../client/read-member.ts";

const websites = "/api/v1/websites";

export interface Growth {
  readonly url: string;
  readonly apiKey: string;
  readonly random: Random;
  /** Part of every domain and idempotency key, so that two runs share none. */
  readonly name: string;
  readonly connections: number;
  /** After how many refused changes it ends. */
  readonly refusals: number;
}

/** What one account was answered. */
export interface Grown {
  answered: number;
  refused: number;
  /** Answers that it may not get. */
  readonly breaches: Set<string>;
}

const maxMs = 60_000;

/**
 * Changes as much as one account can, as fast as it gets answers: each connection replaces both lists of its website by others, and
 * now and then creates a website with full lists and deletes it.
 */
export async function grow({ url, apiKey, random, name, connections, refusals }: Growth): Promise<Grown> {
  using client = createHttpClient(url, { connections });
  const endMs = performance.now() + maxMs;
  const seen: Grown = { answered: 0, refused: 0, breaches: new Set() };
  // Before any of them uses up what all of them may leave.
  const find = (_: unknown, index: number) => findWebsite(client, apiKey, `grow-${index}.example.com`);
  const ids = await Promise.all(Array.from({ length: connections }, find));
  const work = async (id: number, index: number) => {
    const own = random.fork(`${name} ${index}`);
    const lists = [fullLists(own), fullLists(own)];
    for (let count = 0; seen.refused < refusals && performance.now() < endMs; count += 1) {
      const body = lists[count % 2];
      note(seen, await client.send("PUT", `${websites}/${id}`, { apiKey, body }));
      if (count % 4 !== 3) continue;
      const key = `${name}-${index}-${count}`;
      const headers = { "idempotency-key": key };
      const sent = { domain: `${key}.example.com`, ...body };
      const created = await client.send("POST", websites, { apiKey, headers, body: sent });
      note(seen, created);
      if (created.status !== 201) continue;
      note(seen, await client.send("DELETE", `${websites}/${JSON.parse(created.text).data.id}`, { apiKey }));
    }
  };
  await Promise.all(ids.map(work));
  return seen;
}

/** Returns the ID of a website, which it creates if no run before has. */
async function findWebsite(client: HttpClient, apiKey: string, domain: string): Promise<number> {
  const found = await client.send("GET", `${websites}?search=${domain}`, { apiKey });
  return JSON.parse(found.text).data[0]?.id ?? (await createWebsite(client, apiKey, { domain }));
}

/** Creates a website. Returns its ID. */
export async function createWebsite(client: HttpClient, apiKey: string, body: object): Promise<number> {
  const { status, text } = await client.send("POST", websites, { apiKey, body });
  if (status !== 201) throw new Error(`A create was answered with ${status}: ${text}`);
  return JSON.parse(text).data.id;
}

function note(seen: Grown, { status, json, text }: RawAnswer): void {
  if (status < 300) seen.answered += 1;
  else if (readMember(json, "code") === "change_limit_reached") seen.refused += 1;
  else seen.breaches.add(text);
}

/** Both lists as long as they can be, 33 kB that no engine can compress. */
function fullLists(random: Random) {
  const groups = (count: number, separator: string) =>
    Array.from({ length: count }, () => random.integer(0x1000, 0xffff).toString(16)).join(separator);
  return {
    exclude_params: Array.from({ length: 100 }, () => groups(32, "")),
    exclude_ips: Array.from({ length: 500 }, () => groups(8, ":")),
  };
}

const sizes: Readonly<Record<EngineName, string>> = {
  sqlite: "select sum(pgsize) as bytes from dbstat where name glob '*audit_entries*' or name glob '*idempotency_keys*'",
  postgres: "select pg_total_relation_size('audit_entries') + pg_total_relation_size('idempotency_keys') as bytes",
};

/** Returns how many bytes the audit trail and the outcomes of requests take on the disk, with their indexes. */
export async function measureTrail({ engine, query }: Pick<Database, "engine" | "query">): Promise<number> {
  const [row] = await query(sizes[engine]);
  return Number(row?.["bytes"]);
}
