/** What a check found: whether all is well, what it saw, and what to do about it. */
export interface Finding {
  readonly status: "ok" | "warning" | "failure" | "skipped";
  /** One or two sentences. */
  readonly what: string;
  /** What to do, with the command if there is one. Null if nothing is to be done. */
  readonly fix: string | null;
}

export function ok(what: string): Finding {
  return { status: "ok", what, fix: null };
}

/** Something that will cause trouble, or that makes the server worse than it could be. */
export function warning(what: string, fix: string): Finding {
  return { status: "warning", what, fix };
}

/** Something because of which the server does not start, does not store changes, or loses data. */
export function failure(what: string, fix: string): Finding {
  return { status: "failure", what, fix };
}

/** A check that does not apply, or that another one explains. */
export function skipped(what: string): Finding {
  return { status: "skipped", what, fix: null };
}
