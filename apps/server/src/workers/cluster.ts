import type { ListenAddress } from "../door/sockets/listen.ts";
import type { ConnectionSource } from "../door/sockets/receive-connections.ts";
import type { LeaseAnswer, LeaseRequest } from "../limits/lease-messages.ts";
import type { Snapshot } from "../metrics/series.ts";

/** Processes of this program that share a port. */
export interface Cluster {
  /**
   * The link to the primary if this process is a worker. Undefined in the primary, which is the process that a person
   * started.
   */
  readonly primary: PrimaryLink | undefined;
  /** Accepts connections until the port is closed, whether there is a worker or not. */
  openPort(address: ListenAddress, onConnection: (connection: Connection) => void): Promise<Port>;
  /** Starts a worker with the command line of this process and these arguments after it. */
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
  /** `true` once it accepts connections; `false` if it ended before that. */
  readonly listening: Promise<boolean>;
  /** Settles once it accepts no more connections. */
  readonly left: Promise<void>;
  /** Settles once the process has ended. */
  readonly ended: Promise<WorkerEnd>;
  /** The connections that it was sent and has not answered for. */
  readonly pending: { readonly count: number };
  /**
   * Sends a connection to the worker.
   *
   * @returns `false` if the worker did not read from it, so that another worker can
   */
  send(connection: Connection): Promise<boolean>;
  /** Calls the listener each time the worker says that its event loop is alive, which is about once a second. */
  onBeat(listener: () => void): void;
  /** Calls the function with each request for rate limit tokens, and sends what it returns. */
  onLeaseRequest(answer: (request: LeaseRequest) => LeaseAnswer): void;
  /** Asks it for what it has measured. */
  askForMetrics(): void;
  /** Calls the listener with all that the worker has measured since its start, whenever it sends that. */
  onMetrics(listener: (snapshot: Snapshot) => void): void;
  /** Asks it to accept no more connections, and to end once its clients have been told so. */
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

/** How a worker asks the primary for rate limit tokens. */
export interface LeaseLink {
  send(request: LeaseRequest): void;
  onAnswer(listener: (answer: LeaseAnswer) => void): void;
}

/** How a worker tells the primary what it has measured. */
export interface MetricsLink {
  /** Resolves once the message has left this process, or cannot. */
  send(snapshot: Snapshot): Promise<void>;
  onAsk(listener: () => void): void;
}

/** What connects a worker to the primary. */
export interface PrimaryLink {
  /** The connections that the primary sends. */
  readonly connections: ConnectionSource;
  readonly leases: LeaseLink;
  readonly metrics: MetricsLink;
  /** Resolves once another worker has replaced this one. */
  readonly retired: Promise<void>;
  /** Resolves once the primary is gone, or this worker has left it. */
  readonly orphaned: Promise<void>;
  /** Disconnects from the primary. Call this once the server is closed. No connection that the primary sends is lost. */
  leave(): void;
}
