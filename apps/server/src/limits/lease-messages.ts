/** What a worker asks of the process that counts for all. The arrays keep the message short. */
export interface LeaseRequest {
  /** For each key: its ID, its limit, how many of its requests wait, and how many more the worker expects soon. */
  readonly asks: readonly (readonly [keyId: number, limit: number, waiting: number, expected: number])[];
  /** Tokens that the worker did not use. */
  readonly returns: readonly (readonly [keyId: number, count: number])[];
}

/** The answer, in the order of the asks. */
export interface LeaseAnswer {
  readonly grants: readonly (readonly [keyId: number, granted: number, remaining: number, dueInMs: number])[];
}
