import { AppError } from "../errors/app-error.ts";

const retryAfter = { "Retry-After": "1" };

/** The database cannot answer or keep a change now: it is locked, full or failing. Nothing of the change was kept. */
export function storageUnavailable(cause: unknown): AppError {
  return new AppError("unavailable", "The database cannot do this right now; try again in a moment.", {
    headers: retryAfter,
    cause,
  });
}

/** The database was lost while it kept a change: whether it did is not known. */
export function storageOutcomeUnknown(cause: unknown): AppError {
  return new AppError(
    "unavailable",
    "The database was lost while it kept this change, which may have been done; read before you send it again.",
    { headers: retryAfter, extension: { outcome: "unknown" }, cause },
  );
}
