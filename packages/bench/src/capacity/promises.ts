import type { RequestTemplate } from "../load/request-template.ts";
import { type ScenarioName, scenarios } from "../measure/scenarios.ts";

/** What a server does for a promise. */
interface PromiseSetup {
  readonly title: string;
  /** Whether the database keeps the entries of the audit trail. */
  readonly hasTrail: boolean;
  /** Whether requests have an idempotency key, if they can. */
  readonly hasIdempotencyKey: boolean;
  /** Whether requests have an API key with a rate limit. */
  readonly hasRateLimit: boolean;
}

const none = { hasTrail: false, hasIdempotencyKey: false, hasRateLimit: false };

/** No promise, each of them alone, and all. */
export const promises = {
  none: { title: "none of these", ...none },
  trail: { title: "audit trail", ...none, hasTrail: true },
  "idempotency-key": { title: "idempotency key", ...none, hasIdempotencyKey: true },
  "rate-limit": { title: "rate limit", ...none, hasRateLimit: true },
  all: { title: "all of these", hasTrail: true, hasIdempotencyKey: true, hasRateLimit: true },
} as const satisfies Record<string, PromiseSetup>;

export type PromiseName = keyof typeof promises;

// The type of the result of `keys` does not name them.
export const promiseNames = Object.keys(promises) as PromiseName[];

/** The changes that are measured with each promise. */
export const changes = ["update", "create", "create-one"] as const satisfies readonly ScenarioName[];

export type ChangeName = (typeof changes)[number];

/** Returns the promises that a change can have: only a create takes an idempotency key. */
export function promisesOf(change: ChangeName): PromiseName[] {
  return promiseNames.filter((name) => name !== "idempotency-key" || takesIdempotencyKey(scenarios[change].request));
}

/** Returns the request of a change with a promise. */
export function requestOf(change: ChangeName, promise: PromiseName): RequestTemplate {
  const { request } = scenarios[change];
  if (!promises[promise].hasIdempotencyKey || !takesIdempotencyKey(request)) return request;
  return { ...request, headers: { "idempotency-key": "bench-{number}" } };
}

function takesIdempotencyKey({ method }: RequestTemplate): boolean {
  return method === "POST";
}
