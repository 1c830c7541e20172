import { InstallationError } from "../storage/interface/installation-error.ts";

/** A command failed for a known reason. The program prints the message without a stack and exits with 1. */
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
 * Runs work that opens, migrates or copies a database.
 *
 * @throws CommandError with what to do, if the work fails with an `InstallationError`
 */
export async function withCommandErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof InstallationError)) throw cause;
    const line = `${cause.message} ${cause.remedy}`.trimEnd();
    throw cause.code === "invalid_url" ? new UsageError(line, { cause }) : new CommandError(line, { cause });
  }
}
