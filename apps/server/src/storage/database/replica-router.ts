import type { Kysely } from "kysely";
import type { ReadConnection } from "../dialects/connection.ts";
import type { LogPosition } from "../dialects/dialect.ts";
import type { Schema } from "../tables/schema.ts";
import { createReader, type Reader } from "./connections.ts";
import { SharedRead } from "./shared-read.ts";
import { withTimeout } from "./with-timeout.ts";

/** How long a read waits to learn the positions of the primary and a replica before it goes to the primary. */
const maxPositionWaitMs = 100;
/** How long a replica is not used after it has failed. */
const pauseMs = 1_000;

/** A database that may be read instead of the primary. */
interface ReadReplica {
  readonly read: Kysely<Schema>;
  /** The position that the server of the connection has reached. */
  position(connection: ReadConnection): Promise<LogPosition>;
}

export interface ReplicaRouterOptions {
  readonly primary: Reader;
  primaryPosition(): Promise<LogPosition>;
  readonly replicas: readonly ReadReplica[];
  /** Called with the reason why a replica is not read for a while, once each time. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Sends reads to replicas without missing a change: a connection to a replica is used only after its server has replayed
 * everything that was acknowledged before the read began, by any process. All other reads, and those that fail on a
 * replica, go to the primary. Reads that wait for the position of the primary share one query.
 */
export class ReplicaRouter {
  readonly #primary: Reader;
  readonly #primaryPosition: SharedRead<LogPosition>;
  readonly #replicas: readonly Replica[];
  #turn = 0;

  constructor({ primary, primaryPosition, replicas, onFault }: ReplicaRouterOptions) {
    this.#primary = primary;
    this.#primaryPosition = new SharedRead(primaryPosition);
    this.#replicas = replicas.map((replica) => new Replica(replica, onFault));
  }

  run<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    // Without replicas every read is spared a promise.
    return this.#replicas.length === 0 ? work(this.#primary) : this.#runOnReplica(work);
  }

  async #runOnReplica<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    const usable = this.#replicas.filter((replica) => !replica.isPaused);
    this.#turn += 1;
    const replica = usable[this.#turn % usable.length];
    const found = await replica?.run(work, () => this.#primaryPosition.run());
    return found === undefined ? work(this.#primary) : found.result;
  }
}

class Replica {
  readonly #replica: ReadReplica;
  readonly #onFault: (error: unknown) => void;
  #pausedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(replica: ReadReplica, onFault: (error: unknown) => void) {
    this.#replica = replica;
    this.#onFault = onFault;
  }

  get isPaused(): boolean {
    return performance.now() < this.#pausedUntilMs;
  }

  /** @returns undefined if the replica lags behind or fails */
  async run<Result>(
    work: (reader: Reader) => Promise<Result>,
    readPrimaryPosition: () => Promise<LogPosition>,
  ): Promise<{ readonly result: Result } | undefined> {
    const asked = Promise.withResolvers<void>();
    let isLate = false;
    const reading = this.#replica.read.connection().execute(async (connection) => {
      // The primary is queried first: the replica may have more by then.
      const needed = await readPrimaryPosition();
      const isFresh = hasReached(await this.#replica.position(createReader(connection)), needed);
      asked.resolve();
      return isFresh && !isLate ? { result: await work(createReader(connection)) } : undefined;
    });
    reading.catch(asked.reject);
    try {
      await withTimeout(asked.promise, maxPositionWaitMs);
      return await reading;
    } catch (error) {
      isLate = true;
      this.#fail(error);
      return undefined;
    }
  }

  /** Reports the failure once, although many reads meet it. */
  #fail(error: unknown): void {
    if (this.isPaused) return;
    this.#pausedUntilMs = performance.now() + pauseMs;
    this.#onFault(error);
  }
}

/** @throws Error if the two are places in different logs, which cannot be compared */
function hasReached(position: LogPosition, needed: LogPosition): boolean {
  if (position.logs.some((log) => needed.logs.includes(log))) return position.bytes >= needed.bytes;
  throw new Error(
    `The replica follows another database, or has not followed it past a failover: ${position.logs.join(", ")} is not ${needed.logs.join(", ")}.`,
  );
}
