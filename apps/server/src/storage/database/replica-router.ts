import type { ReadConnection } from "../dialects/connection.ts";
import type { LogPosition } from "../dialects/dialect.ts";
import { noAccount, whoseTurn } from "../dialects/whose-turn.ts";
import type { ReplicationLoad } from "../interface/storage-load.ts";
import type { Reader } from "./connections.ts";
import { SharedRead } from "./shared-read.ts";
import { withTimeout } from "./with-timeout.ts";

/** How long a read waits for the positions of the primary and a replica before it goes to the primary. */
const maxPositionWaitMs = 100;
/** How long a read waits for its rows after that. Most take a few milliseconds. */
const maxRowsWaitMs = 500;
/** How long a replica is not read after it has failed. */
const pauseMs = 1_000;

/** A replica to read instead of the primary. */
interface ReadReplica {
  /** Runs `work` with a reader that has one connection to itself. */
  connect<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result>;
  /** Returns the position that the server of the connection has reached. */
  position(connection: ReadConnection): Promise<LogPosition>;
}

interface ReplicaRouterOptions {
  readonly primary: Reader;
  primaryPosition(): Promise<LogPosition>;
  readonly replicas: readonly ReadReplica[];
  /** Called once each time that a replica fails and is not read for a while, with the reason. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Sends reads to replicas without missing a change. A read uses a connection to a replica only if the server of that connection has
 * replayed everything that any process acknowledged before the read began. All other reads go to the primary, and so do reads
 * that fail on a replica. Concurrent reads share one query for the position of the primary.
 */
export class ReplicaRouter {
  readonly #primary: Reader;
  readonly #primaryPosition: SharedRead<LogPosition>;
  readonly #replicas: readonly Replica[];
  #readCount = 0;
  #passedOverCount = 0;

  constructor({ primary, primaryPosition, replicas, onFault }: ReplicaRouterOptions) {
    this.#primary = primary;
    // The accounts that share the query must not wait for the turn of one of them.
    this.#primaryPosition = new SharedRead(() => whoseTurn.run(noAccount, primaryPosition));
    this.#replicas = replicas.map((replica) => new Replica(replica, onFault));
  }

  run<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    // Without replicas, this saves each read a promise.
    return this.#replicas.length === 0 ? work(this.#primary) : this.#runOnReplica(work);
  }

  /** Undefined without replicas. */
  load(): ReplicationLoad | undefined {
    if (this.#replicas.length === 0) return undefined;
    return {
      reads: this.#readCount - this.#passedOverCount,
      readsPassedOver: this.#passedOverCount,
      lagBytes: this.#replicas.map(({ lagBytes }) => lagBytes),
    };
  }

  async #runOnReplica<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    const usable = this.#replicas.filter((replica) => !replica.isPaused);
    this.#readCount += 1;
    const replica = usable[this.#readCount % usable.length];
    const found = await replica?.run(work, () => this.#primaryPosition.run());
    if (found !== undefined) return found.result;
    this.#passedOverCount += 1;
    return work(this.#primary);
  }
}

class Replica {
  readonly #replica: ReadReplica;
  readonly #onFault: (error: unknown) => void;
  #pausedUntilMs = Number.NEGATIVE_INFINITY;
  #lagBytes: number | undefined;

  constructor(replica: ReadReplica, onFault: (error: unknown) => void) {
    this.#replica = replica;
    this.#onFault = onFault;
  }

  /** How far it was behind when it was last read. Undefined before its first read. */
  get lagBytes(): number | undefined {
    return this.#lagBytes;
  }

  get isPaused(): boolean {
    return performance.now() < this.#pausedUntilMs;
  }

  /** @returns undefined if the replica lags behind or fails */
  async run<Result>(
    work: (reader: Reader) => Promise<Result>,
    readPrimaryPosition: () => Promise<LogPosition>,
  ): Promise<{ readonly result: Result } | undefined> {
    const positionsRead = Promise.withResolvers<void>();
    let isLate = false;
    const reading = this.#replica.connect(async (reader) => {
      // The position of the primary is read first. The replica may replay more in the meantime, which does no harm.
      const needed = await readPrimaryPosition();
      const reached = await this.#replica.position(reader);
      this.#lagBytes = missingBytes(reached, needed);
      const isFresh = this.#lagBytes === 0;
      positionsRead.resolve();
      return isFresh && !isLate ? { result: await work(reader) } : undefined;
    });
    reading.catch(positionsRead.reject);
    try {
      await withTimeout(positionsRead.promise, maxPositionWaitMs);
      return await withTimeout(reading, maxRowsWaitMs);
    } catch (error) {
      isLate = true;
      this.#fail(error);
      return undefined;
    }
  }

  /** Reports the failure once, even if many reads fail at the same time. */
  #fail(error: unknown): void {
    if (this.isPaused) return;
    this.#pausedUntilMs = performance.now() + pauseMs;
    this.#onFault(error);
  }
}

/**
 * Returns how much of the log a position has not reached.
 *
 * @throws Error if the positions are in different logs, which cannot be compared
 */
export function missingBytes(position: LogPosition, needed: LogPosition): number {
  if (position.logs.some((log) => needed.logs.includes(log))) return Math.max(0, needed.bytes - position.bytes);
  throw new Error(
    "The replica follows another database, or did not follow its primary past a failover: " +
      `its log is ${position.logs.join(" or ")}, not ${needed.logs.join(" or ")}.`,
  );
}
