import type { Reader } from "./database.ts";
import type { OpenReader, Replication } from "./dialects/dialect.ts";
import { SharedAnswer } from "./shared-answer.ts";

/** How long a read waits to learn how far a replica is, before it goes elsewhere. */
const maxPositionWaitMs = 100;
/** How long a replica is left alone once it has failed. */
const restMs = 1_000;

export interface ReplicaReadingOptions {
  readonly createReader: (open: OpenReader) => Reader;
  readonly onFault: (error: unknown) => void;
  /** A clock that never goes back, in milliseconds. */
  readonly nowMs?: () => number;
}

/**
 * Sends reads to replicas, and lets nobody miss a change by it: a replica is read only once it has replayed everything
 * that was acknowledged before the read began, by whichever process. All other reads, and those that a replica fails at,
 * go to the primary. The position of the primary is asked once for all reads that wait at that moment.
 */
export class ReplicaReading {
  readonly #primary: Reader;
  readonly #primaryPosition: SharedAnswer<number>;
  readonly #replicas: readonly Replica[];
  #turn = 0;

  constructor(primary: Reader, replication: Replication | undefined, options: ReplicaReadingOptions) {
    this.#primary = primary;
    this.#primaryPosition = new SharedAnswer(async () => (await replication?.primaryPosition()) ?? 0);
    const replicas = replication?.replicas ?? [];
    this.#replicas = replicas.map((open) => new Replica(options.createReader(open), open.position, options));
  }

  run<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    // A promise less for every read where there is nothing to choose.
    return this.#replicas.length === 0 ? work(this.#primary) : this.#runWhereFresh(work);
  }

  async #runWhereFresh<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    const replica = await this.#choose();
    if (replica === undefined) return work(this.#primary);
    try {
      return await work(replica.reader);
    } catch (error) {
      replica.fail(error);
      return work(this.#primary);
    }
  }

  async #choose(): Promise<Replica | undefined> {
    const awake = this.#replicas.filter((replica) => !replica.isResting);
    if (awake.length === 0) return undefined;
    this.#turn += 1;
    // Where the primary does not tell, nobody knows what a replica lacks.
    const neededPosition = await this.#primaryPosition.ask().catch(() => Number.POSITIVE_INFINITY);
    const inTurn = awake.map((_, index) => awake[(index + this.#turn) % awake.length]);
    const ready = inTurn.find((replica) => (replica?.knownPosition ?? -1) >= neededPosition);
    if (ready !== undefined) return ready;
    const first = inTurn[0];
    return (await first?.hasReached(neededPosition)) === true ? first : undefined;
  }
}

class Replica {
  readonly reader: Reader;
  readonly #position: SharedAnswer<number>;
  readonly #onFault: (error: unknown) => void;
  readonly #nowMs: () => number;
  #knownPosition = -1;
  #restsUntilMs = Number.NEGATIVE_INFINITY;

  constructor(reader: Reader, position: () => Promise<number>, { onFault, nowMs }: ReplicaReadingOptions) {
    this.reader = reader;
    this.#position = new SharedAnswer(position);
    this.#onFault = onFault;
    this.#nowMs = nowMs ?? (() => performance.now());
  }

  get isResting(): boolean {
    return this.#nowMs() < this.#restsUntilMs;
  }

  /** The replica has everything before this position. */
  get knownPosition(): number {
    return this.#knownPosition;
  }

  async hasReached(neededPosition: number): Promise<boolean> {
    try {
      this.#knownPosition = await withinTime(this.#position.ask(), maxPositionWaitMs);
      return this.#knownPosition >= neededPosition;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  /** Tells of the failure once, though many reads meet it. What was known may not hold for the database that comes back. */
  fail(error: unknown): void {
    this.#knownPosition = -1;
    if (this.isResting) return;
    this.#restsUntilMs = this.#nowMs() + restMs;
    this.#onFault(error);
  }
}

async function withinTime<Result>(answer: Promise<Result>, maxWaitMs: number): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`The replica did not answer within ${maxWaitMs} ms.`)), maxWaitMs);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
