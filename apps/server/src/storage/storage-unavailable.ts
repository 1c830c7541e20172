import { AppError } from "../errors/app-error.ts";

/** The database cannot answer or keep a change now: it is locked, full or failing. Nothing of the change was kept. */
export function storageUnavailable(cause: unknown): AppError {
  return new AppError("unavailable", "The database cannot do this right now; try again in a moment.", {
    headers: { "Retry-After": "1" },
    cause,
  });
}
