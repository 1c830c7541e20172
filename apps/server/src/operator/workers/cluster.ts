/** What this program needs of processes that share a port. */
export interface Cluster {
  /** This process as a worker; undefined in the primary, which is the one that a person started. */
  readonly self: ThisWorker | undefined;
  /** Starts a worker with the command line of this process and these words after it. */
  fork(words: readonly string[]): WorkerProcess;
}

/** A worker as the primary sees it. */
export interface WorkerProcess {
  /** Undefined where the system could not start a process. */
  readonly pid: number | undefined;
  /** The port that it accepts connections on, once it does; undefined where it ended before. */
  readonly listening: Promise<number | undefined>;
  /** Settles once the process is gone. */
  readonly ended: Promise<WorkerEnd>;
  /** Calls the listener each time the worker says that its event loop turns: about once a second. */
  onBeat(listener: () => void): void;
  /** Asks it to accept no more connections and to end once its clients have been told so. */
  retire(): void;
  kill(signal: "SIGTERM" | "SIGKILL"): void;
}

/** How a worker ended. */
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why the system could not start it. */
  readonly error?: Error;
}

/** A worker as it sees itself. */
export interface ThisWorker {
  /** Resolves when another has taken its place. */
  readonly retired: Promise<void>;
  /** Resolves when the primary is gone, or this worker has left it. */
  readonly orphaned: Promise<void>;
  /** Ends the ties to the primary, once the server is closed. No connection that the primary handed over is lost. */
  leave(): Promise<void>;
}
