import { type ErrorCode, errorCodes, type Problem } from "@siteward/contract";

/** What an error contains apart from its detail. `Problem` says what each member means. */
type ErrorExtension = Pick<Problem, "errors" | "required_scope" | "website_id" | "limit" | "outcome">;

interface AppErrorOptions {
  readonly extension?: ErrorExtension;
  readonly headers?: Readonly<Record<string, string>>;
  /** The code by default, and for `unavailable` that the database is. */
  readonly reason?: RefusalReason;
  readonly cause?: unknown;
}

/** What refused a request, if its code has several causes. */
const refusalCauses = [
  // The network has sent too many invalid API keys.
  "invalid_keys_of_network",
  // Too many requests, or bytes of bodies, are in progress.
  "overload",
  "password_queue",
  // Too many changes or callers wait for the database.
  "full_queue",
  // The database is unreachable, fails, or refuses a change.
  "database",
  "disconnected",
] as const;

/** What refused a request, for the operator's metrics. It is a closed set, and is not sent. */
export type RefusalReason = Exclude<ErrorCode, "unavailable"> | (typeof refusalCauses)[number];

export const refusalReasons: readonly RefusalReason[] = [
  // The cast is safe: the catalogue is closed. Object.keys loses the type of its keys.
  ...(Object.keys(errorCodes) as ErrorCode[]).filter((code) => code !== "unavailable"),
  ...refusalCauses,
];

/**
 * A failure that the client is told about. Its code decides the status, and one place turns it into the response. Any other
 * thrown value is answered as `internal` and leaks nothing.
 */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly extension: ErrorExtension;
  /** Response headers that belong to the error, such as `Allow` or `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: RefusalReason;

  constructor(code: ErrorCode, detail: string, options: AppErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.extension = options.extension ?? {};
    this.headers = options.headers ?? {};
    this.reason = options.reason ?? (code === "unavailable" ? "database" : code);
  }

  get status(): number {
    return errorCodes[this.code].status;
  }
}

/** Returns a refusal that names each bad field, what is wrong with it, and what to send instead. */
export function validationFailed(errors: Readonly<Record<string, string[]>>): AppError {
  const fields = Object.keys(errors);
  const detail = `Invalid request: ${fields.map((field) => `${field} ${errors[field]?.[0] ?? ""}`).join(". ")}.`;
  return new AppError("validation_failed", detail, { extension: { errors: { ...errors } } });
}

/** Returns the same answer for an ID that was never used, one that was deleted, and one of another account. */
export function websiteNotFound(): AppError {
  return new AppError("not_found", "No website has this ID.");
}
