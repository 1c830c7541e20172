import { Batches, type Outcomes } from "../engine/batches.ts";
import type { Connection, SqlQuery } from "../engine/connection.ts";
import type { StorageLoad } from "../interface/storage-load.ts";
import { type AccountNodes, lineByNode } from "./citus-nodes.ts";
import type { PostgresPool } from "./postgres-pool.ts";

/** A change of one statement, or the work of a transaction. */
type Change = SqlQuery | ((connection: Connection) => Promise<unknown>);

/** A group takes some milliseconds of the database, and others may wait for the rows that it locks. */
const maxGroupSize = 32;

/**
 * Writes through a pool. Each change of a website locks the row of its account until the commit, so the changes of an
 * account that wait at the same time are sent as one transaction: one round trip and one commit. An account has one of
 * these under way.
 */
export class PostgresWriter {
  readonly #pool: PostgresPool;
  readonly #isDistributed: boolean;
  readonly #lineOf: (accountId: number) => number;
  readonly #changes: Batches<Change, unknown>;

  constructor(pool: PostgresPool, nodes: AccountNodes | undefined) {
    this.#pool = pool;
    this.#isDistributed = nodes !== undefined;
    this.#lineOf = lineByNode(nodes, pool.max);
    const maxSize = nodes === undefined ? maxGroupSize : 1;
    this.#changes = new Batches<Change, unknown>({ maxSize, send: (batch) => this.#sendTogether(batch) });
  }

  load(): Pick<StorageLoad, "waitingWrites"> {
    return { waitingWrites: this.#changes.size };
  }

  writeRows<Row>(statement: SqlQuery<Row>): Promise<Row[]> {
    // The cast is safe: the rows of a statement are of its type.
    return this.#run(statement, statement.accountId) as Promise<Row[]>;
  }

  transact<Result>(work: (connection: Connection) => Promise<Result>, accountId?: number): Promise<Result> {
    // The cast is safe: it is the result of `work`.
    return this.#run(work, accountId) as Promise<Result>;
  }

  /** Without an account, a change could lock rows of several ones, which have no order. */
  #run(change: Change, accountId: number | undefined): Promise<unknown> {
    return accountId === undefined ? this.#send(change) : this.#changes.run(this.#lineOf(accountId), change);
  }

  #send(change: Change): Promise<unknown> {
    return this.#pool.hold((connection) => {
      if (typeof change === "function") return connection.transact(() => change(connection), this.#isDistributed);
      if (!this.#isDistributed) return connection.executeAlone(change);
      // Only a commit of its own tells what a worker warns of then from what it warned of before.
      return connection.transact(() => connection.execute(change), true);
    });
  }

  /** One at a time, because each waits for the row of the account. */
  async #sendEach(batch: readonly Change[]): Promise<Outcomes<unknown>> {
    const outcomes: PromiseSettledResult<unknown>[] = [];
    for (const change of batch) outcomes.push(...(await Promise.allSettled([this.#send(change)])));
    return outcomes;
  }

  async #sendTogether(batch: readonly Change[]): Promise<Outcomes<unknown>> {
    const statements = batch.filter((change) => typeof change !== "function");
    if (batch.length === 1 || statements.length < batch.length) return this.#sendEach(batch);
    const ended = await this.#pool.hold((connection) => connection.executeTogether(statements));
    const outcomes: PromiseSettledResult<unknown>[] = [];
    for (const [index, statement] of statements.entries()) {
      const outcome = ended[index];
      outcomes.push(...(outcome === undefined ? await this.#sendEach([statement]) : [outcome]));
    }
    return outcomes;
  }
}
