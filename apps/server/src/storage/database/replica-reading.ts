import type { Kysely } from "kysely";
import type { LogPosition } from "../dialects/dialect.ts";
import type { Schema } from "../tables/schema.ts";
import type { Reader } from "./database.ts";
import { readThrough } from "./read-through.ts";
import { SharedAnswer } from "./shared-answer.ts";
import { withinTime } from "./within-time.ts";

/** How long a read waits to learn how far the primary or a replica is, before it goes to the primary as it is. */
const maxPositionWaitMs = 100;
/** How long a replica is left alone once it has failed. */
const restMs = 1_000;

/** A database that may be read in the primary's place. */
interface ReadReplica {
  readonly read: Kysely<Schema>;
  /** How far the server at the other end of the connection is. */
  position(connection: Kysely<Schema>): Promise<LogPosition>;
}

export interface ReplicaReadingOptions {
  readonly primary: Reader;
  primaryPosition(): Promise<LogPosition>;
  readonly replicas: readonly ReadReplica[];
  /** Hears why a replica is not read for a while, once each time. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Sends reads to replicas, and lets nobody miss a change by it: a connection to a replica is read only once the server at
 * its other end has replayed everything that was acknowledged before the read began, by whichever process. All other
 * reads, and those that a replica fails at, go to the primary. The primary is asked once for all reads that wait for it.
 */
export class ReplicaReading {
  readonly #primary: Reader;
  readonly #primaryPosition: SharedAnswer<LogPosition>;
  readonly #replicas: readonly Replica[];
  #turn = 0;

  constructor({ primary, primaryPosition, replicas, onFault }: ReplicaReadingOptions) {
    this.#primary = primary;
    this.#primaryPosition = new SharedAnswer(primaryPosition);
    this.#replicas = replicas.map((replica) => new Replica(replica, onFault));
  }

  run<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    // A promise less for every read where there is nothing to choose.
    return this.#replicas.length === 0 ? work(this.#primary) : this.#runWhereFresh(work);
  }

  async #runWhereFresh<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    const awake = this.#replicas.filter((replica) => !replica.isResting);
    this.#turn += 1;
    const replica = awake[this.#turn % awake.length];
    const found = await replica?.run(work, () => this.#primaryPosition.ask());
    return found === undefined ? work(this.#primary) : found.result;
  }
}

class Replica {
  readonly #replica: ReadReplica;
  readonly #onFault: (error: unknown) => void;
  #restsUntilMs = Number.NEGATIVE_INFINITY;

  constructor(replica: ReadReplica, onFault: (error: unknown) => void) {
    this.#replica = replica;
    this.#onFault = onFault;
  }

  get isResting(): boolean {
    return performance.now() < this.#restsUntilMs;
  }

  /** @returns undefined where the replica lags behind or fails */
  async run<Result>(
    work: (reader: Reader) => Promise<Result>,
    askPrimary: () => Promise<LogPosition>,
  ): Promise<{ readonly result: Result } | undefined> {
    const asked = Promise.withResolvers<void>();
    let isLate = false;
    const reading = this.#replica.read.connection().execute(async (connection) => {
      // The primary is asked first: what the replica has by then may be more.
      const needed = await askPrimary();
      const isFresh = hasReached(await this.#replica.position(connection), needed);
      asked.resolve();
      return isFresh && !isLate ? { result: await work(readThrough(connection)) } : undefined;
    });
    reading.catch(asked.reject);
    try {
      await withinTime(asked.promise, maxPositionWaitMs);
      return await reading;
    } catch (error) {
      isLate = true;
      this.#fail(error);
      return undefined;
    }
  }

  /** Tells of the failure once, though many reads meet it. */
  #fail(error: unknown): void {
    if (this.isResting) return;
    this.#restsUntilMs = performance.now() + restMs;
    this.#onFault(error);
  }
}

/** @throws Error where the two are places in different logs, which cannot be compared */
function hasReached(position: LogPosition, needed: LogPosition): boolean {
  if (position.logs.some((log) => needed.logs.includes(log))) return position.bytes >= needed.bytes;
  throw new Error(
    `The replica follows another database, or has not followed it past a failover: ${position.logs.join(", ")} is not ${needed.logs.join(", ")}.`,
  );
}
