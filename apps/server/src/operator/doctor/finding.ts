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

/**
 * Returns a failure from a message whose end says what to do, in sentences of its own.
 *
 * @param otherwise what to do if the message does not say it
 */
export function splitFailure(message: string, otherwise: string): Finding {
  // A value that the message quotes can contain the end of a sentence.
  const setIt = message.lastIndexOf(". Set it to ");
  const end = (setIt === -1 ? message.search(/\. (?=[A-Z])/) : setIt) + 1;
  return end === 0
    ? failure(message.replace(/\.?$/, "."), otherwise)
    : failure(message.slice(0, end), message.slice(end).trim());
}

/** A check that does not apply, or that another one explains. */
export function skipped(what: string): Finding {
  return { status: "skipped", what, fix: null };
}
