import type { RawAnswer } from "../client/raw-connection.ts";
import type { Random } from "../random.ts";

/** What a race needs to run. */
export interface Race {
  readonly send: (method: string, path: string, apiKey: string, body?: unknown) => Promise<RawAnswer>;
  readonly apiKey: string;
  readonly random: Random;
  /** Part of every domain, so that races do not share domains. */
  readonly name: string;
}

/** Calls a function `count` times at once. */
export function atOnce<Result>(count: number, act: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => act(index)));
}

/** Reads a nested member of JSON. Returns undefined if it does not exist. */
export function readMember(json: unknown, ...names: readonly (string | number)[]): unknown {
  let value = json;
  for (const name of names) {
    if (typeof value !== "object" || value === null) return undefined;
    // Reading any member of an object as unknown is safe.
    value = (value as Record<string | number, unknown>)[name];
  }
  return value;
}

/** Counts the answers of each status, as in `201 × 1, 409 × 15`. */
export function countStatuses(answers: readonly RawAnswer[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status} × ${count}`).join(", ");
}
