/** A command failed for a known reason. The program prints the message, and exits with the code. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The command line is not valid. The message says what to use instead, and the program exits with 2. */
export class UsageError extends CommandError {
  override readonly name = "UsageError";

  constructor(message: string) {
    super(message, 2);
  }
}
