import type { SitewardError } from "./siteward-error.ts";

/** What an error says about the call that it ended. */
export interface CallContext {
  readonly method: string;
  readonly path: string;
  readonly attempts: number;
  readonly elapsedMs: number;
}

/** Adds the call to an error and its message: the request, unless the message names it, and the attempts, if several. */
export function addCall<Failure extends SitewardError>(error: Failure, call: CallContext): Failure {
  const { method, path, attempts } = call;
  const { message, stack = "" } = error;
  const context = message.includes(path) ? [] : [`${method} ${path}`];
  if (attempts > 1) context.push(describeEffort(call));
  if (context.length > 0) {
    // An ApiError ends with "(404 not_found)", which becomes "(404 not_found, GET /api/v1/websites/7)".
    const start = message.endsWith(")") ? `${message.slice(0, -1)}, ` : `${message} (`;
    error.message = `${start}${context.join(" ")})`;
    // The stack begins with the message. A function, because a string of the service may contain "$&".
    error.stack = stack.replace(message, () => error.message);
  }
  return Object.assign(error, call);
}

/** Says how long a call took: "in 12 ms", or "after 3 attempts in 1.5 s". */
export function describeEffort({ attempts, elapsedMs }: Pick<CallContext, "attempts" | "elapsedMs">): string {
  return attempts > 1 ? `after ${attempts} attempts in ${(elapsedMs / 1_000).toFixed(1)} s` : `in ${elapsedMs} ms`;
}
