/** What is shown of a piece of work. */
export interface Work {
  /** What is being done, such as "Importing". */
  readonly label: string;
  /** How many steps there are; undefined if nobody knows. */
  readonly total?: number | undefined;
  /**
   * How many steps one request does, so that the time left follows from the rate limit.
   * @default 1
   */
  readonly stepsPerRequest?: number | undefined;
}

/** A piece of work that is in progress. */
export interface WorkInProgress extends Work {
  readonly startedMs: number;
  done: number;
  /** What is being done now; empty if nothing was said. */
  detail: string;
}
