import type { Random } from "@siteward/testing/random";
import { createHttpClient, type HttpClient } from "../client/http-client.ts";
import type { RawAnswer } from "../client/raw-connection.ts";

const websites = "/api/v1/websites";

/** A request, and the statuses that it can get when the server is not overloaded. */
type LoadRequest = readonly [expected: readonly number[], method: string, path: string, body?: object];

/** Requests without a key, or with a wrong one. */
const keyless: readonly LoadRequest[] = [
  ...["/healthz", "/readyz", "/openapi.json", "/docs", "/docs/errors"].map((path) => [[200], "GET", path] as const),
  [[404], "GET", "/nowhere"],
  [[401], "GET", websites],
  [[401], "POST", websites, { domain: "a.example" }],
];

/** All endpoints. */
function keyed(random: Random): readonly LoadRequest[] {
  const website = `${websites}/${random.integer(1, 2_000)}`;
  const domain = `load-${random.integer(1, 1_000_000)}.example.com`;
  return [
    [[200], "GET", "/api/v1/account"],
    [[200], "GET", `${websites}?per_page=100`],
    [[200], "GET", `${websites}?search=load&sort_by=domain`],
    [[200, 404], "GET", website],
    [[204, 404], "DELETE", website],
    [[200, 404], "PUT", website, { email: 1 }],
    [[201, 409], "POST", websites, { domain }],
    [[422], "POST", websites, { domain: "" }],
    [[201, 409], "POST", websites, { domain, privacy: 2, password: "correct horse" }],
  ];
}

export interface Overload {
  readonly url: string;
  readonly apiKey: string;
  readonly random: Random;
  readonly connections: number;
  readonly durationMs: number;
}

export interface Overloaded {
  answered: number;
  refused: number;
  /** Answers that no client may get, and requests that had none. */
  readonly breaches: Set<string>;
}

/** Sends requests of all kinds over many connections, each as soon as the one before it is answered. */
export async function overload({ url, apiKey, random, connections, durationMs }: Overload): Promise<Overloaded> {
  using client = createHttpClient(url, { connections });
  // Node accepts one connection in each turn of its event loop, and a turn takes about 10 ms while the server is busy. If the
  // connections were not open before, the last would wait for 6 seconds.
  await Promise.all(Array.from({ length: connections }, () => client.send("GET", "/healthz")));
  const seen: Overloaded = { answered: 0, refused: 0, breaches: new Set() };
  const endMs = performance.now() + durationMs;
  const work = async (choices: Random) => {
    while (performance.now() < endMs) {
      if (choices.chance(0.45)) await send(client, choices.pick(keyless), seen);
      else await send(client, choices.pick(keyed(choices)), seen, apiKey);
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => work(random.fork(`load ${index}`))));
  return seen;
}

async function send(
  client: HttpClient,
  [expected, method, path, body]: LoadRequest,
  seen: Overloaded,
  apiKey?: string,
): Promise<void> {
  const request = { ...(apiKey && { apiKey }), ...(body && { body }) };
  const answer = await client.send(method, path, request).catch((error: Error) => error);
  if (answer instanceof Error) seen.breaches.add(`${method} ${path}: ${answer.message}`);
  else if (expected.includes(answer.status)) seen.answered += 1;
  else if (isRefusal(answer)) seen.refused += 1;
  else seen.breaches.add(`${method} ${path}: ${answer.status}`);
}

/** The only other answer that a busy server may send. */
export function isRefusal({ status, headers }: RawAnswer): boolean {
  return (status === 503 || status === 429) && headers.has("retry-after");
}
