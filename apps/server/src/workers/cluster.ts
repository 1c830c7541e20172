import type { ListenAddress } from "../connections/listen.ts";
import type { ConnectionSource } from "../connections/receive-connections.ts";

/** What this program needs of processes that share a port. */
export interface Cluster {
  /** What ties this process to the primary if it is a worker. Undefined in the primary, which is the one that a person started. */
  readonly primary: PrimaryLink | undefined;
  /** Accepts connections, from now until the port is closed, whether there is a worker or not. */
  openPort(address: ListenAddress, onConnection: (connection: Connection) => void): Promise<Port>;
  /** Starts a worker with the command line of this process and these words after it. */
  fork(words: readonly string[]): WorkerProcess;
}

export interface Port {
  readonly port: number;
  close(): void;
}

/** A connection that this process has accepted and not read from. */
export interface Connection {
  /** Closes this copy of the connection. The client notices only if no worker has another. */
  close(): void;
}

/** A worker as the primary sees it. */
export interface WorkerProcess {
  /** Undefined if the system could not start a process. */
  readonly pid: number | undefined;
  /** `true` once it takes connections; `false` if it ended before that. */
  readonly listening: Promise<boolean>;
  /** Settles once it takes no more connections. */
  readonly left: Promise<void>;
  /** Settles once the process is gone. */
  readonly ended: Promise<WorkerEnd>;
  /**
   * Hands a connection over.
   *
   * @returns `false` if the worker did not read from it, so that another can
   */
  take(connection: Connection): Promise<boolean>;
  /** Calls the listener each time the worker says that its event loop turns: about once a second. */
  onBeat(listener: () => void): void;
  /** Asks it to take no more connections and to end once its clients have been told so. */
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

/** What ties a worker to the primary. */
export interface PrimaryLink {
  /** What the primary hands over. */
  readonly connections: ConnectionSource;
  /** Resolves when another has taken its place. */
  readonly retired: Promise<void>;
  /** Resolves when the primary is gone, or this worker has left it. */
  readonly orphaned: Promise<void>;
  /** Ends the ties to the primary, once the server is closed. No connection that the primary hands over is lost. */
  leave(): void;
}
