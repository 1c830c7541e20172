import { ConfigError } from "../../config.ts";
import { AppError } from "../../errors/app-error.ts";

/**
 * Does what can fail for reasons that lie in a database.
 *
 * @throws AppError or ConfigError where it fails, so that the operator reads why in one line and not a stack
 */
export async function inOneLine<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ConfigError || cause instanceof AppError || !(cause instanceof Error)) throw cause;
    throw new AppError("unavailable", cause.message, { cause });
  }
}
