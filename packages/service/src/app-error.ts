import { type ErrorCode, errorCodes, type Problem } from "@siteward/contract";

/**
 * What a failure has to say besides its detail. `Problem` says what the members of the answer mean. The others are sent as headers
 * (`errorHeaders`).
 */
export interface Facts extends Pick<Problem, "errors" | "required_scope" | "website_id" | "limit" | "outcome"> {
  readonly retryAfterS?: number;
  /** Whether an earlier request with the same idempotency key was refused, and this is its refusal. */
  readonly isReplayed?: true;
  /** The current one of the record. */
  readonly entityTag?: string;
  /** The methods of the path. */
  readonly allow?: string;
  /** The media types of the body, for a POST and for other methods. */
  readonly acceptPost?: string;
  readonly accept?: string;
  /** How to authenticate (RFC 6750, section 3). */
  readonly challenge?: string;
  /** The body of the request is not read, so the connection ends. */
  readonly connection?: "close";
}

/** What refused a request, if its code has several causes. */
const refusalCauses = [
  // The network has sent too many invalid API keys.
  "invalid_keys_of_network",
  // Too many requests are in progress.
  "overload",
  // Too many changes or callers wait for the database.
  "full_queue",
  // The database is busy, fails or is unreachable.
  "database",
  // It lacks a table, accepts no changes, or denies the server a right, until the operator acts.
  "database_not_migrated",
  "database_read_only",
  "database_not_permitted",
  // It failed during a commit.
  "outcome_unknown",
  "disconnected",
] as const;

/** What refused a request, for the operator's metrics. It is a closed set, and is not sent. */
export type RefusalReason = Exclude<ErrorCode, "unavailable"> | (typeof refusalCauses)[number];

export const refusalReasons: readonly RefusalReason[] = [
  // The cast is safe: the catalogue is closed. Object.keys loses the type of its keys.
  ...(Object.keys(errorCodes) as ErrorCode[]).filter((code) => code !== "unavailable"),
  ...refusalCauses,
];

/** A failure as data, in which form it crosses threads and is kept for an idempotency key. */
export interface Failure {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly facts: Facts;
  readonly reason: RefusalReason;
}

interface AppErrorOptions extends Partial<Pick<Failure, "facts" | "reason">> {
  /** For the log. Clients are not told. */
  readonly cause?: unknown;
}

/**
 * A failure that the client is told about, whoever throws it. Its code decides the status, and one place turns it into the response.
 * Any other thrown value is answered as `internal` and leaks nothing.
 */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly facts: Facts;
  readonly reason: RefusalReason;

  /** @param options.reason the code by default, and for `unavailable` that the database is */
  constructor(code: ErrorCode, detail: string, { facts = {}, reason, cause }: AppErrorOptions = {}) {
    super(detail, { cause });
    this.code = code;
    this.facts = facts;
    this.reason = reason ?? (code === "unavailable" ? "database" : code);
  }

  static from({ code, detail, ...rest }: Failure, cause?: unknown): AppError {
    return new AppError(code, detail, { ...rest, cause });
  }

  /** The detail, with what the database said. A client is not told that. */
  get detailForOperator(): string {
    const { message, cause } = this;
    return cause instanceof Error ? `${message} (${cause.message})` : message;
  }

  get failure(): Failure {
    const { code, message: detail, facts, reason } = this;
    return { code, detail, facts, reason };
  }
}
