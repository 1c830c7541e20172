import { setTimeout } from "node:timers/promises";
import { isRefusedFor } from "@siteward/service";
import type { Query, Returned, WriteConnection } from "../dialects/connection.ts";
import type { SingleWriter, StorageDialect, Transact } from "../dialects/dialect.ts";
import { compile, type QueryTools, toWriteConnection } from "./connections.ts";

/** How long a transaction is retried while other transactions conflict with it. */
const maxWaitMs = 5000;
const maxPauseMs = 20;

/** Where transactions that write begin. */
export interface WriteTarget extends QueryTools {
  readonly transact: Transact;
  readonly dialect: StorageDialect;
}

/**
 * Returns a function that runs `work` in a transaction, which commits when `work` returns and rolls back when it throws. If
 * another transaction conflicts with it, `work` runs again from the start after a short pause, which does not block the
 * process.
 *
 * Not every engine blocks other writers during the transaction. `work` must therefore first change, or select with
 * `forUpdate`, the row whose state it relies on. Work that changes the number of websites begins with the row of the account.
 *
 * The returned function throws an `AppError` if conflicts last too long or the database cannot write.
 */
export function createWrite(
  target: WriteTarget,
): <Result>(work: (transaction: WriteConnection) => Promise<Result>) => Promise<Result> {
  return (work) => retryConflicts(target.dialect, () => writeOnce(target, work));
}

/** Runs `work` in a transaction, without a retry. */
function writeOnce<Result>(
  { transact, ...tools }: WriteTarget,
  work: (transaction: WriteConnection) => Promise<Result>,
): Promise<Result> {
  return transact((connection) => work(toWriteConnection(connection, tools)));
}

/** Returns a function that runs one statement, like `createWrite`. */
export function createWriteOne(
  target: WriteTarget,
  single: SingleWriter | undefined,
): <Row>(statement: Query<Row>) => Promise<Returned<Row>[]> {
  const write = createWrite(target);
  if (single === undefined) return (statement) => write((transaction) => transaction.write(statement));
  return <Row>(statement: Query<Row>) => {
    const compiled = compile(statement, target);
    // The cast is safe: drivers return rows only if the statement has a `returning` clause.
    return retryConflicts(target.dialect, () => single.writeRows(compiled) as Promise<Returned<Row>[]>);
  };
}

/** Runs `attempt`, and retries it while it fails only because of other transactions. */
async function retryConflicts<Result>(dialect: StorageDialect, attempt: () => Promise<Result>): Promise<Result> {
  const startMs = performance.now();
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isOver = isRefusedFor(error, "outcome_unknown") || performance.now() - startMs > maxWaitMs;
      if (isOver || !dialect.isRetryable(error)) throw error;
    }
    // The random pause keeps writers that conflicted once from conflicting again.
    await setTimeout(1 + Math.random() * Math.min(count, maxPauseMs));
  }
}
