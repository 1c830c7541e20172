import type { Cluster } from "../../workers/cluster.ts";
import type { ServiceManagerLink } from "./service-manager-link.ts";

/** The process that a command runs in: its environment, output, signals and workers. */
export interface CommandContext {
  /** The version of this program. */
  readonly version: string;
  /** What the system says of this process. */
  readonly ownProcess: Pick<NodeJS.Process, "cpuUsage" | "memoryUsage" | "uptime" | "version">;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes a line of data to standard output. */
  print(line: string): void;
  /** Waits until standard output has taken what was printed, so that a slow reader does not fill the memory. */
  untilPrinted(): Promise<void>;
  /** Writes a line for a person to standard error. */
  note(line: string): void;
  /** Replaces the last line on standard error. Undefined if standard error is not a terminal. */
  readonly redraw?: (line: string) => void;
  /**
   * Asks the person at the terminal and returns the line that they type, or undefined if they cancel. Undefined if standard
   * input or standard error is not a terminal.
   */
  readonly ask?: (question: string) => Promise<string | undefined>;
  /** Returns standard input. */
  readInput(): AsyncIterable<Uint8Array>;
  /** Returns the name of the operating system's user, which the audit trail records for the changes of a command. */
  operatorName(): string;
  /** What `doctor` checks of the process. */
  readonly runtime: RuntimeFacts;
  /** Writes lines of the log to standard error. */
  log(text: string): void;
  /** Whether people read the log as it is written: standard error is a terminal. */
  readonly isLogOnTerminal: boolean;
  /**
   * Calls the listener each time a signal comes. Meanwhile the signal has no effect of its own.
   *
   * @returns a function that ends this
   */
  onSignal(signal: ProcessSignal, listener: () => void): () => void;
  /** Whether the process was started from a terminal that has been closed. */
  isTerminalClosed(): boolean;
  /** The program that has started this one and is to know its state. Undefined if none is. */
  readonly serviceManager?: ServiceManagerLink | undefined;
  /** Lets this program run in many processes. This costs memory, so call it only if there will be many. */
  openCluster(): Promise<Cluster>;
}

/** The program that runs this one, and its user. */
export interface RuntimeFacts {
  /** The number of the user whose rights count. Undefined on Windows. */
  readonly userId: number | undefined;
  /** Such as `24.18.1`. */
  readonly nodeVersion: string;
  /** Where compiled code is kept between runs. Undefined if it is not. */
  readonly compileCacheFolder: string | undefined;
}

export type ProcessSignal = "SIGTERM" | "SIGINT" | "SIGHUP";
