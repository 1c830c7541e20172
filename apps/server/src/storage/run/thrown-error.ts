import { AppError } from "@siteward/service";
import type { ThrownError } from "./thread-messages.ts";

/** Returns a form of the error that can be sent to another thread. */
export function packError(thrown: unknown): ThrownError {
  const error = thrown instanceof AppError ? thrown.cause : thrown;
  return {
    failure: thrown instanceof AppError ? thrown.failure : undefined,
    error,
    details: error instanceof Error ? { ...error } : {},
  };
}

/** Returns the error that another thread packed. */
export function unpackError({ failure, error, details }: ThrownError): unknown {
  if (error instanceof Error) Object.assign(error, details);
  return failure === undefined ? error : AppError.from(failure, error);
}
