import type { HttpAnswer } from "../client/http-client.ts";
import type { Random } from "../random.ts";

/** What a race is run with. */
export interface Race {
  readonly send: (method: string, path: string, apiKey: string, body?: unknown) => Promise<HttpAnswer>;
  readonly apiKey: string;
  readonly random: Random;
  /** Stands in every domain, so that races do not meet. */
  readonly name: string;
}

/** Does something so many times at once. */
export function atOnce<Result>(count: number, act: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => act(index)));
}

/** Reads a member of a member of JSON; undefined if there is none. */
export function readMember(json: unknown, ...names: readonly (string | number)[]): unknown {
  let value = json;
  for (const name of names) {
    if (typeof value !== "object" || value === null) return undefined;
    // Members of any object can be read as unknown.
    value = (value as Record<string | number, unknown>)[name];
  }
  return value;
}

/** How many answers have each status, such as `201 × 1, 409 × 15`. */
export function countStatuses(answers: readonly HttpAnswer[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status} × ${count}`).join(", ");
}
