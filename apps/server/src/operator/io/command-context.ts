import type { Cluster } from "../../workers/cluster.ts";

/** What a command has of the world around it. */
export interface CommandContext {
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
  onSignal(signal: ProcessSignal, listener: () => void): () => void;
  /** Whether the process was started from a person's terminal and that has been closed. */
  isTerminalClosed(): boolean;
  /** Makes this program able to run in many processes; it costs memory, so only where there are to be many. */
  openCluster(): Promise<Cluster>;
}

export type ProcessSignal = "SIGTERM" | "SIGINT" | "SIGHUP";
