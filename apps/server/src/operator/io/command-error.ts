import { ConfigError } from "../../config.ts";
import { AppError } from "../../errors/app-error.ts";

/** A command failed for a reason that one line can tell. The program prints the message without a stack and exits with 1. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
  readonly exitCode: number = 1;
}

/** The command line is not valid. The message says what to use instead, and the program exits with 2. */
export class UsageError extends CommandError {
  override readonly name = "UsageError";
  override readonly exitCode = 2;
}

/**
 * Runs work that can fail for a reason in a database.
 *
 * @throws CommandError instead of an error that would be printed with its stack
 */
export async function withCommandErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ConfigError || cause instanceof AppError || !(cause instanceof Error)) throw cause;
    throw new CommandError(cause.message, { cause });
  }
}
