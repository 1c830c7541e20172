import { endpoints } from "@siteward/contract/endpoints";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isSitewardError } from "../src/errors/siteward-error.ts";
import { type Fetch, resolveSitewardOptions } from "../src/options/siteward-options.ts";
import { didNothing } from "../src/retry/retry-rule.ts";
import { createLoneSend } from "./support/create-lone-send.ts";
import { recordTiming } from "./support/recorded-timing.ts";

/** What happens to one attempt on its way to the service and back. */
const fates = ["refused", "lost", "cut", "limited", "busy", "unsure", "proxy", "running", "answered"] as const;
type Fate = (typeof fates)[number];

const anyFates = fc.array(fc.constantFrom(...fates), { maxLength: 8 });
const anyMaxRetries = fc.nat({ max: 5 });

test("whatever happens to the attempts, a create is applied at most once, and its result is true", async () => {
  const property = fc.asyncProperty(anyFates, anyMaxRetries, async (plan, maxRetries) => {
    const service = new KeyedService(plan);
    const timing = recordTiming();
    const client = resolveSitewardOptions({
      apiKey: "swk_secret",
      baseUrl: "http://127.0.0.1",
      fetch: service.fetch,
      maxRetries,
    });
    const create = { route: endpoints.websites.create, body: { domain: "example.com" } };
    const result: unknown = await createLoneSend(client, timing)(create).catch((error: unknown) => error);
    expect(service.created).toBeLessThanOrEqual(1);
    const refusals = maxRetries && plan.filter((fate) => fate === "limited").length;
    expect(timing.waitsMs.length).toBeLessThanOrEqual(maxRetries + refusals);
    if (!isSitewardError(result)) expect(result).toMatchObject({ status: 201, text: '{"data":{"id":1}}' });
    // An error that says that nothing was done must be right.
    else if (didNothing(result)) expect(service.created).toBe(0);
  });
  await fc.assert(property, { numRuns: 500 });
});

/** A service that creates one record for each idempotency key, behind a network that does what the plan says. */
class KeyedService {
  readonly #fates: Fate[];
  readonly #keys = new Set<string>();

  constructor(plan: readonly Fate[]) {
    this.#fates = [...plan];
  }

  get created(): number {
    return this.#keys.size;
  }

  readonly fetch: Fetch = async (_url, { headers }) => {
    const fate = this.#fates.shift() ?? "answered";
    const key = new Headers(headers).get("idempotency-key");
    if (key === null) throw new Error("The create has no idempotency key.");
    if (fate === "refused") throw failure("ECONNREFUSED");
    if (fate === "lost") throw failure("ECONNRESET");
    if (fate === "limited") return problem(429, { code: "rate_limited" }, { "retry-after": "1" });
    if (fate === "busy") return problem(503, { code: "unavailable" });
    this.#keys.add(key);
    if (fate === "cut") throw failure("ECONNRESET");
    if (fate === "proxy") return new Response("<h1>Bad gateway</h1>", { status: 502 });
    if (fate === "unsure") return problem(503, { code: "unavailable", outcome: "unknown" });
    if (fate === "running") return problem(409, { code: "idempotency_in_progress" }, { "retry-after": "1" });
    return Response.json({ data: { id: this.#keys.size } }, { status: 201 });
  };
}

function failure(code: string): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });
}

function problem(status: number, fields: object, headers: Record<string, string> = {}): Response {
  return Response.json({ title: "Title", detail: "Detail.", status, ...fields }, { status, headers });
}
