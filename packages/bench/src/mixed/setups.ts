/** A server whose reads and writes are measured together. */
export interface Setup {
  readonly title: string;
  readonly workers: number;
  /** How much longer every sync of the disk takes. */
  readonly syncDelayMs: number;
  /** Whether the loads that disturb readers in other ways than with writes run too. */
  readonly hasDisturbances: boolean;
}

/** By the name that `--only` accepts. */
export const setups = {
  plain: { title: "one process, plain disk", workers: 1, syncDelayMs: 0, hasDisturbances: true },
  "slow-disk": { title: "one process, syncs take 5 ms longer", workers: 1, syncDelayMs: 5, hasDisturbances: false },
  workers: { title: "two workers, plain disk", workers: 2, syncDelayMs: 0, hasDisturbances: false },
  "workers-slow-disk": {
    title: "two workers, syncs take 5 ms longer",
    workers: 2,
    syncDelayMs: 5,
    hasDisturbances: false,
  },
} as const satisfies Record<string, Setup>;

type SetupName = keyof typeof setups;

// The type of the result of `keys` does not name them.
export const setupNames = Object.keys(setups) as SetupName[];
