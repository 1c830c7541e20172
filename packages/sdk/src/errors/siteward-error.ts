/**
 * The base class of every error that the SDK throws. Its `code` is stable and identifies the kind of error. No error
 * contains the API key.
 *
 * @example
 * try {
 *   await siteward.websites.get(7);
 * } catch (error) {
 *   if (!(error instanceof SitewardError)) throw error;
 *   console.log(error.code, error.method, error.path, error.attempts, error.elapsedMs);
 * }
 */
export class SitewardError extends Error {
  /** Stable identifier of the kind of error, such as `timeout`. */
  readonly code: string;
  /** The HTTP method of the call that failed. Undefined if no call was made, because an argument is not valid. */
  declare readonly method?: string;
  /** The path of the call, such as `/api/v1/websites/7`, without the path of `baseUrl` and without the query. */
  declare readonly path?: string;
  /** How many attempts the call made. 0 if its signal was aborted before the first. */
  declare readonly attempts?: number;
  /** How long the entire call took, with all attempts and the waits between them, in milliseconds. */
  declare readonly elapsedMs?: number;

  constructor(code: string, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/**
 * The service could not be reached, or the connection broke before the response was complete.
 *
 * @example
 * try {
 *   await siteward.websites.delete(7);
 * } catch (error) {
 *   if (!(error instanceof ConnectionError)) throw error;
 *   console.log(error.requestSent ? "It may be deleted." : "Nothing was deleted.");
 * }
 */
export class ConnectionError extends SitewardError {
  declare readonly code: "connection_failed";

  /** False if the last attempt never connected. True if the service may have acted on it. */
  readonly requestSent: boolean;

  constructor(message: string, requestSent: boolean, options?: { readonly cause?: unknown }) {
    super("connection_failed", message, options);
    this.requestSent = requestSent;
  }
}

/**
 * The last attempt took longer than `timeoutMs`. The service may still have acted on it.
 *
 * @example
 * try {
 *   await siteward.websites.delete(7, { timeoutMs: 5_000 });
 * } catch (error) {
 *   if (!(error instanceof TimeoutError)) throw error;
 *   console.log(`no answer within ${error.timeoutMs} ms, after ${error.attempts} attempts`);
 * }
 */
export class TimeoutError extends SitewardError {
  declare readonly code: "timeout";

  /** The time limit of the attempt, in milliseconds. */
  readonly timeoutMs: number;

  constructor(message: string, timeoutMs: number) {
    super("timeout", message);
    this.timeoutMs = timeoutMs;
  }
}

/**
 * The call's `signal` was aborted; `cause` is its reason. The service may still have acted on the request. If it was
 * the `waitSignal`, it has not.
 *
 * @example
 * try {
 *   await siteward.websites.get(7, { signal: AbortSignal.timeout(10_000) }); // 10 s for the entire call
 * } catch (error) {
 *   if (!(error instanceof AbortError)) throw error;
 *   console.log(error.cause);
 * }
 */
export class AbortError extends SitewardError {
  declare readonly code: "aborted";

  constructor(reason: unknown) {
    super("aborted", "The call was aborted by its signal.", { cause: reason });
  }
}

/**
 * An option or argument is not valid. The message names it and says what to pass. Nothing was changed.
 *
 * @example
 * try {
 *   toCanonicalDomain("https://example.com/");
 * } catch (error) {
 *   if (!(error instanceof InvalidArgumentError)) throw error;
 *   console.log(error.message);
 * }
 */
export class InvalidArgumentError extends SitewardError {
  declare readonly code: "invalid_argument";

  constructor(message: string) {
    super("invalid_argument", message);
  }
}

// On the prototypes, so that stack traces begin with the names, which minifying those of the classes does not change.
const classes = { SitewardError, ConnectionError, TimeoutError, AbortError, InvalidArgumentError };
for (const [name, { prototype }] of Object.entries(classes)) prototype.name = name;

/** What an error says about the call that it ended. */
export type CallContext = Required<Pick<SitewardError, "method" | "path" | "attempts" | "elapsedMs">>;

/** Adds the call to an error and its message: the request, unless it is named, and the attempts, if several. */
export function addCall<Failure extends SitewardError>(error: Failure, call: CallContext): Failure {
  const { method, path, attempts } = call;
  const { message, stack = "" } = error;
  const context = message.includes(path) ? [] : [`${method} ${path}`];
  if (attempts > 1) context.push(`after ${attempts} attempts in ${(call.elapsedMs / 1_000).toFixed(1)} s`);
  if (context.length > 0) {
    // An ApiError ends with "(404 not_found)", which becomes "(404 not_found, GET /api/v1/websites/7)".
    const start = message.endsWith(")") ? `${message.slice(0, -1)}, ` : `${message} (`;
    error.message = `${start}${context.join(" ")})`;
    // The stack begins with the message. A function, because a string of the service may contain "$&".
    error.stack = stack.replace(message, () => error.message);
  }
  return Object.assign(error, call);
}
