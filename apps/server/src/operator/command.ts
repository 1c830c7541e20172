/** The process that a command runs in: its environment, its output, the person at its terminal, and its signals. */
export interface CommandContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes a line of data to standard output. */
  print(line: string): void;
  /** Writes a line for a person to standard error. */
  note(line: string): void;
  /** Reads standard input to its end. */
  readInput(): Promise<string>;
  /**
   * Asks the person at the terminal and returns the line that they type, or undefined if they cancel. Undefined if standard
   * input or standard error is not a terminal.
   */
  readonly ask?: (question: string) => Promise<string | undefined>;
  /**
   * Calls the listener each time a signal comes. Meanwhile the signal has no effect of its own.
   *
   * @returns a function that ends this
   */
  onSignal(signal: ProcessSignal, listener: () => void): () => void;
}

export type ProcessSignal = "SIGTERM" | "SIGINT" | "SIGHUP";

/**
 * Resolves at the first of these signals. A second SIGINT or SIGHUP then ends the process. SIGTERM can come twice, from
 * pnpm and to its process group: the second must not cut requests in progress.
 */
export async function untilSignal(context: CommandContext, signals: readonly ProcessSignal[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of signals) {
    const unsubscribe = context.onSignal(signal, () => {
      if (signal !== "SIGTERM") unsubscribe();
      resolve();
    });
  }
  await promise;
}

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
