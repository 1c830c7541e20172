import type { Cluster } from "../../workers/cluster.ts";

/** What a command has of the world around it. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes a line of data to standard output. */
  print(line: string): void;
  /** Writes a line for a person to standard error. */
  note(line: string): void;
  /** Writes a line to standard error in the place of the one that it wrote last; absent where that is no terminal. */
  readonly redraw?: (line: string) => void;
  /** Writes lines of the log to standard error. */
  log(text: string): void;
  /**
   * Hears of a signal each time it comes; it has no effect of its own meanwhile.
   *
   * @returns what ends the hearing
   */
  onSignal(signal: TerminalSignal, listener: () => void): () => void;
  /** Whether the process was started from a person's terminal and that has been closed. */
  isClosed(): boolean;
  /** Makes this program able to run in many processes; it costs memory, so only where there are to be many. */
  openCluster(): Promise<Cluster>;
}

export type TerminalSignal = "SIGTERM" | "SIGINT" | "SIGHUP";

/** The command was called in a way that it does not take: the message says what it takes. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Prints one result: as the only JSON on standard output, or as the lines that a person reads. */
export function printResult(
  terminal: Terminal,
  options: { json?: boolean },
  result: unknown,
  lines: readonly string[],
): void {
  if (options.json === true) {
    terminal.print(JSON.stringify(result));
    return;
  }
  for (const line of lines) terminal.print(line);
}
