import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { WebsiteStore } from "@siteward/service";
import pg from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { callHere } from "../../../src/storage/changes/call-change.ts";
import { prepareDeleteExpired } from "../../../src/storage/changes/delete-expired.ts";
import type { SqlQuery } from "../../../src/storage/engine/connection.ts";
import { type Database, openDatabase } from "../../../src/storage/engine/database.ts";
import { migrate } from "../../../src/storage/engine/migrate.ts";
import { migrations } from "../../../src/storage/engine/schema.ts";
import type { AuditStore } from "../../../src/storage/interface/audit-store.ts";
import type { RetentionStore } from "../../../src/storage/interface/retention-store.ts";
import { createAuditStore } from "../../../src/storage/reads/audit-store.ts";
import { createRetentionStore } from "../../../src/storage/stores/retention-store.ts";
import { createWebsiteStore } from "../../../src/storage/stores/website-store.ts";
import type { TestDatabase, TestEngine } from "../engines.ts";

/** A database that tells which queries some work sends, to ask the engine how it runs them. */
export interface NotedDatabase extends AsyncDisposable {
  readonly place: TestDatabase;
  readonly database: Database;
  readonly websites: WebsiteStore;
  readonly audit: AuditStore;
  readonly retention: RetentionStore;
  /** Runs some work, and returns its queries and deletions. */
  queriesOf(work: () => Promise<unknown>): Promise<SqlQuery[]>;
}

/** Opens it before the tests of a `describe`, and deletes it after them. */
export function useNoted(...[engine, fill]: Parameters<typeof openNoted>): () => NotedDatabase {
  let noted: NotedDatabase | undefined;
  beforeAll(async () => {
    noted = await openNoted(engine, fill);
  });
  afterAll(() => noted?.[Symbol.asyncDispose]());
  return () => noted ?? expect.fail("It is open only while tests run.");
}

export async function openNoted(
  engine: TestEngine,
  fill: (database: Database, place: TestDatabase) => Promise<void>,
): Promise<NotedDatabase> {
  const place = await engine();
  const filled = await openDatabase({ ...place, allowsLongStatements: true });
  await migrate(filled, migrations);
  await fill(filled, place);
  await filled.close();
  // The engine does the same by itself some time after so many writes.
  if (place.engine === "postgres") await place.execute("vacuum (analyze)");
  const queries: SqlQuery[] = [];
  const database = await openDatabase({ ...place, log: ({ query }) => void queries.push(query) });
  return {
    place,
    database,
    websites: createWebsiteStore(database, callHere(database)),
    audit: createAuditStore(database),
    retention: createRetentionStore(database, prepareDeleteExpired(database)),
    async queriesOf(work) {
      queries.length = 0;
      await work();
      return queries.filter(({ sql }) => /^\s*(select|with|delete)/.test(sql));
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      await place[Symbol.asyncDispose]();
    },
  };
}

/** Returns the steps of the queries of some work that read a table or sort, as SQLite describes them. */
export async function explainSqlite(noted: NotedDatabase, work: () => Promise<unknown>): Promise<string[]> {
  const queries = await noted.queriesOf(work);
  using connection = new DatabaseSync(noted.place.databaseUrl.slice("file:".length));
  return queries
    .flatMap(({ sql, parameters }) =>
      connection.prepare(`explain query plan ${sql}`).all(...(parameters as SQLInputValue[])),
    )
    .map((step) => String(step["detail"]))
    .filter((step) => !/^SCALAR SUBQUERY|^SCAN CONSTANT ROW$/.test(step));
}

/** How a step of a plan of PostgreSQL reads a table. */
export interface Scan {
  readonly table: string;
  readonly index: string | undefined;
  /** Whether it reads only rows of one account. */
  readonly isOfAccount: boolean;
  /** How many rows it read, including those that were filtered out. 0 if the plan did not run. */
  readonly rows: number;
}

/**
 * Runs the queries of some work again, and returns how they read each table, apart from that of the accounts.
 *
 * @param withGeneric also the plan that the engine may use for a prepared statement after it has run several times
 * @param isGeneric whether prepared statements run with that plan
 */
export async function explainPostgres(
  { place, queriesOf }: NotedDatabase,
  work: () => Promise<unknown>,
  { withGeneric = false, isGeneric = false } = {},
): Promise<Scan[]> {
  const queries = await queriesOf(work);
  const client = new pg.Client({ connectionString: place.databaseUrl });
  await client.connect();
  await using _ = { [Symbol.asyncDispose]: () => client.end() };
  const readScans = async (explanation: string, parameters: readonly unknown[] = []) => {
    const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(explanation, [...parameters]);
    return rows.flatMap((row) => toScans(row["QUERY PLAN"][0].Plan));
  };
  const scans: Scan[] = [];
  for (const query of queries) {
    if (isGeneric && query.name !== undefined) {
      await client.query(`set plan_cache_mode = force_generic_plan; prepare generic as ${query.sql}`);
      const values = query.parameters.map((value) => toLiteral(client, value)).join(", ");
      scans.push(...(await readScans(`explain (analyze, timing off, format json) execute generic (${values})`)));
      await client.query("deallocate generic");
      continue;
    }
    scans.push(...(await readScans(`explain (analyze, timing off, format json) ${query.sql}`, query.parameters)));
    if (withGeneric && query.name !== undefined)
      scans.push(...(await readScans(`explain (generic_plan, format json) ${query.sql}`)));
  }
  return scans;
}

function toLiteral(client: pg.Client, value: unknown): string {
  if (value === null || value === undefined) return "null";
  return client.escapeLiteral(Array.isArray(value) ? `{${value.map((entry) => `"${entry}"`)}}` : String(value));
}

export function totalRows(scans: readonly Scan[]): number {
  return scans.reduce((sum, { rows }) => sum + rows, 0);
}

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly PlanNode[];
}

function toScans(node: PlanNode): Scan[] {
  const inner = (node.Plans ?? []).flatMap(toScans);
  const { "Relation Name": table } = node;
  if (table === undefined || table === "accounts" || !node["Node Type"].includes("Scan")) return inner;
  // If a step below creates a bitmap, the index is in that step.
  const bitmap = node.Plans?.find((step) => step["Index Name"] !== undefined);
  const { "Index Name": index, "Index Cond": condition } = { ...bitmap, ...node };
  const removed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  const rows = ((node["Actual Rows"] ?? 0) + removed) * (node["Actual Loops"] ?? 0);
  // Every part of a domain in the index begins with its account.
  const isOfAccount = /account_id = |website_grams\(account_id/.test(condition ?? "");
  return [...inner, { table, index, isOfAccount, rows }];
}
