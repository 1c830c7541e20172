import type { Database } from "../database/database.ts";
import type { Change, Run } from "./change.ts";
import { prepareInOneStatement } from "./in-one-statement.ts";
import { prepareInTurn } from "./in-turn.ts";

/**
 * Prepares a change once, in the way that is best on the engine. It was chosen when the database was opened: PostgreSQL runs
 * one statement, so that it is one round trip. SQLite has no such round trips. On Citus, a statement that inserts in its `with`
 * clause runs on every node, and a transaction of single statements only on one.
 */
export function prepareRun<Values extends object, Row extends object>(
  database: Database,
  change: Change<Values, Row>,
): Run<Values, Row> {
  return database.changesInOneStatement ? prepareInOneStatement(database, change) : prepareInTurn(database, change);
}
