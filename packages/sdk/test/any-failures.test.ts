import { routes } from "@siteward/contract/plain";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { SitewardError } from "../src/errors/siteward-error.ts";
import type { RetryEvent } from "../src/options/hooks.ts";
import type { Fetch } from "../src/options/siteward-options.ts";
import { didNothing } from "../src/retry/retry-rule.ts";
import { connect } from "./support/connect.ts";

/** What happens to one attempt on its way to the service and back. */
const fates = ["refused", "lost", "cut", "limited", "busy", "unsure", "proxy", "running", "answered"] as const;
type Fate = (typeof fates)[number];

const anyFates = fc.array(fc.constantFrom(...fates), { maxLength: 8 });
const anyMaxRetries = fc.nat({ max: 5 });

test("whatever happens to the attempts, a create is applied at most once, and its result is true", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const property = fc.asyncProperty(anyFates, anyMaxRetries, async (plan, maxRetries) => {
    const service = new KeyedService(plan);
    const retries: RetryEvent[] = [];
    const onRetry = (event: RetryEvent) => retries.push(event);
    const send = connect({ baseUrl: "http://127.0.0.1", fetch: service.fetch, maxRetries, onRetry });
    const create = { route: routes.websites.create, body: { domain: "example.com" } };
    const ended = send(create).catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    const result: unknown = await ended;
    expect(service.created).toBeLessThanOrEqual(1);
    const refusals = maxRetries && plan.filter((fate) => fate === "limited").length;
    expect(retries.length).toBeLessThanOrEqual(maxRetries + refusals);
    if (!(result instanceof SitewardError)) expect(result).toMatchObject({ status: 201, text: '{"data":{"id":1}}' });
    // An error that says that nothing was done must be right.
    else if (didNothing(result)) expect(service.created).toBe(0);
  });
  await fc.assert(property, { numRuns: 300 });
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
