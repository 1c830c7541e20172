import { Batches } from "../engine/batches.ts";
import type { Connection, ReadDriver, SqlQuery } from "../engine/connection.ts";
import { type AccountNodes, lineByNode } from "./citus-nodes.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import type { PostgresPool } from "./postgres-pool.ts";

type Work = (connection: Connection) => Promise<unknown>;

/**
 * Reads through two pools, so that neither waits for the other. Short reads share the connections of one, and take half
 * of the processor time so. The other one is for searches of large accounts, which have a connection to themselves: one
 * search of an account at a time.
 */
export class PostgresReader implements ReadDriver {
  readonly #own: PostgresPool;
  readonly #pipelined: PipelinedReads;
  readonly #lineOf: (accountId: number) => number;
  readonly #snapshots: Batches<Work, unknown>;

  /** @param nodes which accounts hang together. Undefined if all are on one server. */
  constructor(shared: PostgresPool, own: PostgresPool, nodes: AccountNodes | undefined) {
    this.#own = own;
    this.#pipelined = new PipelinedReads(shared, nodes && ((accountId) => placeOf(nodes, accountId, shared.max)));
    this.#lineOf = lineByNode(nodes, own.max);
    this.#snapshots = new Batches({
      maxSize: 1,
      send: (batch) => Promise.allSettled(batch.map((work) => own.snapshot(work))),
    });
  }

  execute<Row>(query: SqlQuery<Row>): Promise<Row[]> {
    return query.name === undefined ? this.#own.execute(query) : this.#pipelined.read(query);
  }

  snapshot<Result>(work: (connection: Connection) => Promise<Result>, accountId: number): Promise<Result> {
    // The cast is safe: it is the result of `work`.
    return this.#snapshots.run(this.#lineOf(accountId), work) as Promise<Result>;
  }
}

/** Reads without an account need no node, so they have the first connection, and the nodes share the others. */
function placeOf(nodes: AccountNodes, accountId: number | undefined, places: number): number {
  return accountId === undefined || places === 1 ? 0 : 1 + (nodes.nodeOf(accountId) % (places - 1));
}

/** With as many reads under way, the next connection is opened, so that a slow one delays few others. */
const readsBeforeNext = 8;
/** A connection under constant load goes back to the pool after this time, which may then replace it. */
const maxAgeMs = 60_000;
/** How long a read waits for its answer. Then the driver closes the connection. */
const maxSilenceMs = 1_000;

/** A connection that several reads use at the same time. The server answers them in order. */
interface Pipeline {
  readonly connection: Promise<PostgresConnection>;
  readonly openedAtMs: number;
  underWay: number;
}

/**
 * Sends short reads on few connections, without waiting for earlier answers. It opens as many as the load needs, and
 * gives each one back when it has no reads. If one is lost or hangs, its reads are sent once more on another one.
 */
class PipelinedReads {
  readonly #pool: PostgresPool;
  readonly #pipelines: (Pipeline | undefined)[];
  readonly #placeOf: ((accountId: number | undefined) => number) | undefined;

  /** @param placeOf returns the connection of an account, from 0. By default, each takes the first with few reads. */
  constructor(pool: PostgresPool, placeOf?: (accountId: number | undefined) => number) {
    this.#pool = pool;
    this.#pipelines = Array.from({ length: pool.max }, () => undefined);
    this.#placeOf = placeOf;
  }

  async read<Row>(query: SqlQuery<Row>, isSecond = false): Promise<Row[]> {
    const pipeline = this.#choose(query.accountId);
    const connection = await pipeline.connection;
    try {
      return await connection.execute(query, maxSilenceMs);
    } catch (error) {
      if (isSecond || connection.state === "usable") throw error;
    } finally {
      if (connection.state !== "usable") this.#retire(pipeline);
      pipeline.underWay -= 1;
      // The next read often comes in the same turn of the event loop.
      if (pipeline.underWay === 0) setImmediate(() => this.#releaseIfUnused(pipeline, connection));
    }
    return this.read(query, true);
  }

  /** Returns a connection that waits for one more read. */
  #choose(accountId: number | undefined): Pipeline {
    const place = this.#placeOf?.(accountId) ?? this.#findPlace();
    const open = this.#pipelines[place];
    const isOpen = open !== undefined && performance.now() - open.openedAtMs < maxAgeMs;
    const pipeline = isOpen ? open : this.#open(place);
    pipeline.underWay += 1;
    return pipeline;
  }

  #findPlace(): number {
    const counts = this.#pipelines.map((pipeline) => pipeline?.underWay ?? 0);
    const first = counts.findIndex((count) => count < readsBeforeNext);
    return first === -1 ? counts.indexOf(Math.min(...counts)) : first;
  }

  #open(place: number): Pipeline {
    const pipeline = { connection: this.#pool.connect(), openedAtMs: performance.now(), underWay: 0 };
    this.#pipelines[place] = pipeline;
    // Its reads are told.
    pipeline.connection.catch(() => this.#retire(pipeline));
    return pipeline;
  }

  /** Gives the connection no further reads. */
  #retire(pipeline: Pipeline): void {
    const place = this.#pipelines.indexOf(pipeline);
    if (place !== -1) this.#pipelines[place] = undefined;
  }

  #releaseIfUnused(pipeline: Pipeline, connection: PostgresConnection): void {
    if (pipeline.underWay > 0) return;
    // Nobody can take it any more, so this happens once.
    pipeline.underWay = Number.POSITIVE_INFINITY;
    this.#retire(pipeline);
    connection.release();
  }
}
