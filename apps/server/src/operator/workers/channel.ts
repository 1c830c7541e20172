/** What the primary says to a worker, beside numbers, which the worker says back. */
export const toWorker = {
  /** Comes with a connection. */
  connection: "connection",
  retire: "retire",
} as const;

/** What a worker says to the primary. */
export const toPrimary = {
  beat: "beat",
  /** It takes connections from now on. */
  ready: "ready",
  /** It takes no more. */
  left: "left",
  /** It has the connection that came last. */
  taken: "taken",
  /** It has not read from the connection that came last, and let go of it. */
  refused: "refused",
} as const;
