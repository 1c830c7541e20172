import type { Random } from "@siteward/testing/random";
import type { RawAnswer } from "../client/raw-connection.ts";

/** What a race needs to run. It returns how the promise was broken, one line each. */
export interface Race {
  readonly send: (method: string, path: string, apiKey: string, body?: unknown) => Promise<RawAnswer>;
  readonly apiKey: string;
  readonly random: Random;
  /** Part of every domain, so that races do not share domains. */
  readonly name: string;
}

export const websites = "/api/v1/websites";

/** Calls a function `count` times at once. */
export function atOnce<Result>(count: number, act: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => act(index)));
}

/** Counts the answers of each status, as in `201 × 1, 409 × 15`. */
export function countStatuses(answers: readonly RawAnswer[]): string {
  const byStatus = Map.groupBy(answers, ({ status }) => status);
  return [...byStatus].map(([status, { length }]) => `${status} × ${length}`).join(", ");
}
