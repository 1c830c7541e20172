/** The exit codes, by meaning. Scripts rely on them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** Of `websites check`: the visit is not counted. A failure prints no verdict. */
  notCounted: 1,
  refused: 2,
  /** Of `plan --detailed-exitcode`, which exits with 1 on every error. */
  changesPlanned: 2,
  notFound: 3,
  notAllowed: 4,
  conflict: 5,
  rateLimited: 6,
  partial: 7,
  interrupted: 130,
} as const;

/** An exit code of the CLI. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
