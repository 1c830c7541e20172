import type { CallerGroup } from "../load/load.ts";
import { createWithPassword, scenarios } from "../measure/scenarios.ts";

/** What clients do at the same time. */
export interface MixedLoad {
  readonly groups: Readonly<Partial<Record<GroupName, CallerGroup>>>;
  /** How many connections also ask for long pages and never read them. */
  readonly unreadConnections?: number;
  /** Whether it disturbs readers in another way than with writes. */
  readonly isDisturbance: boolean;
}

export type GroupName = "readers" | "writers" | "passwords";

const readers = { request: scenarios.get.request, callers: 8 } as const;
const writers = { request: scenarios.create.request, callers: 64 } as const;
/** A client that ignores `Retry-After`, but does not use all of its time to repeat. */
const passwords = { request: createWithPassword, callers: 64, mayBeRefused: true, pauseAfterRefusalMs: 100 } as const;

/** By their titles. The first two are what the others are compared with. */
export const loads = {
  "8 readers alone": { groups: { readers }, isDisturbance: false },
  "64 writers alone": { groups: { writers }, isDisturbance: false },
  "8 readers, 64 writers": { groups: { readers, writers }, isDisturbance: false },
  "8 readers, 8 clients that never read": { groups: { readers }, unreadConnections: 8, isDisturbance: true },
  "8 readers, 64 creates with passwords": { groups: { readers, passwords }, isDisturbance: true },
} as const satisfies Record<string, MixedLoad>;

export type LoadTitle = keyof typeof loads;
