import type { Failure } from "@siteward/service";

/** What the thread needs to open the database. */
export interface ThreadOptions {
  readonly databaseUrl: string;
}

/** What the main thread sends: a batch of changes, after the one before was answered, or the request to end. */
export type ThreadRequest = readonly Call[] | "close";

/** What the thread sends: that it has started, or what came of the changes of a batch, in their order. */
export type ThreadReply = "open" | readonly CallOutcome[];

/** A call of a change. */
export interface Call {
  /** The name of the change. */
  readonly name: string;
  readonly argument: unknown;
}

/** What a call returned or threw. */
export type CallOutcome = { readonly value: unknown } | { readonly error: ThrownError };

/** An error in a form that can be sent between threads: of errors with a class of their own, only the message would arrive. */
export interface ThrownError {
  /** The failure of an `AppError`. Undefined for any other error. */
  readonly failure: Failure | undefined;
  /** The error, or the cause of an `AppError`. */
  readonly error: unknown;
  /** Fields that drivers add to their errors, such as `code`. */
  readonly details: Readonly<Record<string, unknown>>;
}
