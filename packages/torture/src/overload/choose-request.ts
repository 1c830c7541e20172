import type { Random } from "../random.ts";

/** A request, and the statuses that it can get when the server is not overloaded. */
export interface LoadRequest {
  readonly method: string;
  readonly path: string;
  readonly apiKey?: string;
  readonly body?: unknown;
  readonly expected: readonly number[];
}

const websites = "/api/v1/websites";

type Make = (random: Random, apiKey: string) => LoadRequest;

/** All endpoints, with and without a key. */
const kinds: readonly Make[] = [
  () => ({ method: "GET", path: "/healthz", expected: [200] }),
  () => ({ method: "GET", path: "/readyz", expected: [200] }),
  () => ({ method: "GET", path: "/openapi.json", expected: [200] }),
  () => ({ method: "GET", path: "/docs", expected: [200] }),
  () => ({ method: "GET", path: "/docs/errors", expected: [200] }),
  () => ({ method: "GET", path: "/nowhere", expected: [404] }),
  () => ({ method: "GET", path: websites, expected: [401] }),
  () => ({ method: "POST", path: websites, body: { domain: "a.example" }, expected: [401] }),
  () => ({ method: "GET", path: websites, apiKey: "swk_wrong", expected: [401] }),
  (_, apiKey) => ({ method: "GET", path: "/api/v1/account", apiKey, expected: [200] }),
  (_, apiKey) => ({ method: "GET", path: `${websites}?per_page=100`, apiKey, expected: [200] }),
  (_, apiKey) => ({ method: "GET", path: `${websites}?search=load&sort_by=domain`, apiKey, expected: [200] }),
  (random, apiKey) => ({ method: "GET", path: idPath(random), apiKey, expected: [200, 404] }),
  (random, apiKey) => ({ method: "DELETE", path: idPath(random), apiKey, expected: [204, 404] }),
  (random, apiKey) => ({ method: "PUT", path: idPath(random), apiKey, body: { email: 1 }, expected: [200, 404] }),
  (random, apiKey) => ({
    method: "POST",
    path: websites,
    apiKey,
    body: { domain: domain(random) },
    expected: [201, 409],
  }),
  (_, apiKey) => ({ method: "POST", path: websites, apiKey, body: { domain: "" }, expected: [422] }),
  (random, apiKey) => ({
    method: "POST",
    path: websites,
    apiKey,
    body: { domain: domain(random), privacy: 2, password: "correct horse" },
    expected: [201, 409],
  }),
];

export function chooseRequest(random: Random, apiKey: string): LoadRequest {
  return random.pick(kinds)(random, apiKey);
}

function idPath(random: Random): string {
  return `${websites}/${random.integer(1, 2_000)}`;
}

function domain(random: Random): string {
  return `load-${random.integer(1, 1_000_000)}.example.com`;
}
