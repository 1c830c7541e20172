import { ConfigError } from "../../config.ts";
import { AppError } from "../../errors/app-error.ts";

/** The command was called in a way that it does not take: the message says what it takes. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * Does what can fail for reasons that lie in a database.
 *
 * @throws AppError or ConfigError where it fails, so that the operator reads why in one line and not a stack
 */
export async function withCommandErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ConfigError || cause instanceof AppError || !(cause instanceof Error)) throw cause;
    throw new AppError("unavailable", cause.message, { cause });
  }
}
