import type { ReplicationLoad } from "../interface/storage-load.ts";
import { createReader, type QueryTools, type Reader } from "./connection.ts";
import { type LogPosition, missingBytes, type OpenEngine, type OpenReplica } from "./engine.ts";
import { SharedRead, withTimeout } from "./shared-read.ts";

/** How long a read waits for a replica before it goes to the primary. Most take a few milliseconds. */
const maxWaitMs = 500;
/** How long a replica is not read after it has failed. */
const pauseMs = 1_000;

interface Replica extends OpenReplica {
  pausedUntilMs: number;
  /** How far it was behind when it was last read. Undefined before its first read. */
  lagBytes: number | undefined;
}

/**
 * Sends reads to replicas without missing a change. A read uses a connection to a replica only if the server of that
 * connection has replayed everything that any process acknowledged before the read began. All other reads go to the
 * primary, and so do reads that fail on a replica. Concurrent reads share one query for the position of the primary.
 */
export class Replicas {
  readonly #tools: QueryTools;
  readonly #primaryPosition: SharedRead<LogPosition>;
  readonly #replicas: readonly Replica[];
  readonly #onFault: (error: unknown) => void;
  #readCount = 0;
  #passedOverCount = 0;

  /** @param onFault called once each time that a replica fails and is not read for a while, with the reason */
  constructor(
    { primaryPosition, replicas }: OpenEngine["replication"],
    tools: QueryTools,
    onFault: (error: unknown) => void = () => undefined,
  ) {
    this.#tools = tools;
    this.#primaryPosition = new SharedRead(primaryPosition);
    this.#replicas = replicas.map((replica) => ({ ...replica, pausedUntilMs: 0, lagBytes: undefined }));
    this.#onFault = onFault;
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

  async run<Result>(primary: Reader, work: (reader: Reader) => Promise<Result>): Promise<Result> {
    const nowMs = performance.now();
    const usable = this.#replicas.filter(({ pausedUntilMs }) => pausedUntilMs <= nowMs);
    this.#readCount += 1;
    const replica = usable[this.#readCount % usable.length];
    const found = replica && (await this.#read(replica, work));
    if (found !== undefined) return found.result;
    this.#passedOverCount += 1;
    return work(primary);
  }

  /** @returns undefined if the replica lags behind or fails */
  async #read<Result>(
    replica: Replica,
    work: (reader: Reader) => Promise<Result>,
  ): Promise<{ readonly result: Result } | undefined> {
    let isLate = false;
    const reading = replica.hold(async (connection) => {
      // The position of the primary is read first. The replica may replay more in the meantime, which does no harm.
      const needed = await this.#primaryPosition.run();
      replica.lagBytes = missingBytes(await replica.position(connection), needed);
      if (replica.lagBytes > 0 || isLate) return undefined;
      return { result: await work(createReader(connection, this.#tools)) };
    });
    try {
      return await withTimeout(reading, maxWaitMs);
    } catch (error) {
      isLate = true;
      // Many reads may fail at the same time.
      if (performance.now() >= replica.pausedUntilMs) this.#onFault(error);
      replica.pausedUntilMs = performance.now() + pauseMs;
      return undefined;
    }
  }
}
