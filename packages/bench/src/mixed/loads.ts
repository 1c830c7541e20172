import type { CallerGroup } from "../load/load.ts";
import { createWithPassword, scenarios } from "../measure/scenarios.ts";

/** What clients do at the same time. */
export interface MixedLoad {
  readonly groups: Readonly<Record<string, CallerGroup>>;
  /** How many connections also ask for long pages and never read them. */
  readonly unreadConnections?: number;
}

const readers = { request: scenarios.get.request, callers: 8 } as const;
const writers = { request: scenarios.create.request, callers: 64 } as const;
/** A client that ignores `Retry-After`, but does not use all of its time to repeat. */
const passwords = { request: createWithPassword, callers: 64, pauseAfterRefusalMs: 100 } as const;

/** By their titles. The first two are what the others are compared with. */
export const loads = {
  "8 readers alone": { groups: { readers } },
  "64 writers alone": { groups: { writers } },
  "8 readers, 64 writers": { groups: { readers, writers } },
  "8 readers, 8 clients that never read": { groups: { readers }, unreadConnections: 8 },
  "8 readers, 64 creates with passwords": { groups: { readers, passwords } },
} as const satisfies Record<string, MixedLoad>;

export type LoadTitle = keyof typeof loads;

// The type of the result of `keys` does not name them.
export const loadTitles = Object.keys(loads) as LoadTitle[];
