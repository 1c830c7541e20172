import { createHttpClient, type HttpClient } from "../client/http-client.ts";
import type { RawAnswer } from "../client/raw-connection.ts";
import type { Random } from "../random.ts";

const websites = "/api/v1/websites";

export interface GrowOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly random: Random;
  /** Part of every domain and idempotency key, so that two runs share none. */
  readonly name: string;
  readonly connections: number;
  readonly durationMs: number;
}

/** What one account was answered. */
export interface Grown {
  /** Also what replaced lists by the same ones, once the others were refused. */
  readonly answered: number;
  readonly refused: number;
  readonly breaches: readonly string[];
}

/**
 * Changes as much as one account can, as fast as it gets answers: each connection replaces both lists of its website by others, and
 * now and then creates a website with full lists and deletes it.
 */
export async function grow({ url, apiKey, random, name, connections, durationMs }: GrowOptions): Promise<Grown> {
  using client = createHttpClient(url, { connections });
  const endMs = performance.now() + durationMs;
  const seen: Seen = { answered: 0, refused: 0, breaches: new Set() };
  const workers = Array.from({ length: connections }, async (_, index) => {
    const own = random.fork(`${name} ${index}`);
    const lists = [fullLists(own), fullLists(own)] as const;
    const id = await findWebsite(client, apiKey, index);
    for (let count = 0; performance.now() < endMs; count += 1) {
      const body = lists[count % 2 === 0 ? 0 : 1];
      note(seen, await client.send("PUT", `${websites}/${id}`, { apiKey, body }));
      const key = `${name}-${index}-${count}`;
      if (count % 4 === 3) await createAndDelete(client, { apiKey, body, key, seen });
    }
  });
  await Promise.all(workers);
  return { ...seen, breaches: [...seen.breaches] };
}

interface Seen {
  answered: number;
  refused: number;
  readonly breaches: Set<string>;
}

interface Creation {
  readonly apiKey: string;
  readonly body: object;
  readonly key: string;
  readonly seen: Seen;
}

async function createAndDelete(client: HttpClient, { apiKey, body, key, seen }: Creation): Promise<void> {
  const headers = { "idempotency-key": key };
  const sent = { domain: `${key}.example.com`, ...body };
  const created = await client.send("POST", websites, { apiKey, headers, body: sent });
  note(seen, created);
  if (created.status !== 201) return;
  note(seen, await client.send("DELETE", `${websites}/${JSON.parse(created.text).data.id}`, { apiKey }));
}

function note(seen: Seen, answer: RawAnswer): void {
  if (answer.status < 300) seen.answered += 1;
  else if (answer.status === 429) {
    seen.refused += 1;
    const fault = findFault(answer);
    if (fault !== undefined) seen.breaches.add(fault);
  } else seen.breaches.add(`A change was answered with ${answer.status}: ${answer.text}`);
}

/** The difference of two clocks, and the time that an answer may take. */
const toleranceSeconds = 5;

/** Returns what is wrong with a 429, which must say when it ends. */
function findFault({ headers, text }: RawAnswer): string | undefined {
  const midnight = new Date().setUTCHours(24, 0, 0, 0);
  const expected = (midnight - Date.now()) / 1_000;
  const seconds = Number(headers.get("retry-after"));
  const isInTime = Math.abs(seconds - expected) < toleranceSeconds;
  const { code, detail } = JSON.parse(text);
  const day = new Date(midnight).toISOString().slice(0, 10);
  if (code === "change_limit_reached" && isInTime && String(detail).includes(day)) return undefined;
  return `A 429 says ${code}, Retry-After ${seconds}: ${detail}`;
}

async function findWebsite(client: HttpClient, apiKey: string, index: number): Promise<number> {
  const domain = `grow-${index}.example.com`;
  const found = await client.send("GET", `${websites}?search=${domain}`, { apiKey });
  const id = JSON.parse(found.text).data[0]?.id;
  if (id !== undefined) return id;
  const created = await client.send("POST", websites, { apiKey, body: { domain } });
  if (created.status !== 201) throw new Error(`A create was answered with ${created.status}: ${created.text}`);
  return JSON.parse(created.text).data.id;
}

/** Both lists as long as they can be, 33 kB that no engine can compress. */
function fullLists(random: Random): { readonly exclude_params: string[]; readonly exclude_ips: string[] } {
  const groups = (count: number, separator: string) =>
    Array.from({ length: count }, () => random.integer(0x1000, 0xffff).toString(16)).join(separator);
  return {
    exclude_params: Array.from({ length: 100 }, () => groups(32, "")),
    exclude_ips: Array.from({ length: 500 }, () => groups(8, ":")),
  };
}
