import { AppError } from "../errors/app-error.ts";

const retryAfter = { "Retry-After": "1" };

/** The database cannot answer or keep a change now: it is locked, full or failing. Nothing of the change was kept. */
export function storageUnavailable(cause: unknown): AppError {
  return new AppError("unavailable", "The database cannot do this right now; try again in a moment.", {
    headers: retryAfter,
    cause,
  });
}

/** The database failed while it committed a change, or was lost meanwhile. Whether the change is kept is not known. */
export function storageOutcomeUnknown(cause: unknown): AppError {
  return new AppError(
    "unavailable",
    "The database failed while it committed this change, which may have been kept; read before you send it again.",
    { headers: retryAfter, extension: { outcome: "unknown" }, cause },
  );
}

/** Whether a change may have been kept although it failed. It must not be run again without the client knowing. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof AppError && error.extension.outcome === "unknown";
}
