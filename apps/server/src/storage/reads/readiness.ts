import { databaseNotMigrated, isForOperator } from "@siteward/service";
import type { Database } from "../engine/database.ts";
import { SharedRead, withTimeout } from "../engine/shared-read.ts";
import { sql } from "../engine/statement.ts";
import { type ApiKeyRow, tables } from "../tables/schema.ts";
import { createAccountReads } from "./account-reads.ts";
import { createApiKeyReads } from "./api-key-reads.ts";
import { prepareWebsiteGet } from "./website-get.ts";
import { prepareWebsiteList } from "./website-list.ts";

/** Checks need no key, so each answer is shared for this long. Otherwise anyone could load the database with them. */
const maxAgeMs = 500;
/** A database that hangs never answers. The check fails before its caller times out, which often takes longer. */
const maxWaitMs = 2_000;

/** How long a check of writes may take. After this, its last answer is given again. */
const maxWriteWaitMs = 200;

/** The request of a client that lists its newest website. */
const newest = { sortBy: "id", sort: "desc", perPage: 1, start: { page: 1 } } as const;
type ProbedKey = Pick<ApiKeyRow, "hash" | "account_id">;
const newestKey = sql`select hash, account_id from api_keys order by id desc limit 1`;
const noKey: ProbedKey = { hash: new Uint8Array(32), account_id: 0 };

/**
 * Returns a function that checks that the primary database can answer requests. It runs the queries of real requests
 * for the account of the newest key, and reads from the disk if the engine can do that. The records that it reads
 * exist: to find that a record does not exist, an engine may read only an index. Of a distributed database, it checks
 * only the node that it is connected to.
 *
 * @param checkWritable see `OpenEngine`
 */
export function prepareReadiness(database: Database, checkWritable: () => Promise<void>): () => Promise<void> {
  const { probe } = database;
  const probed: Database = { ...database, primary: probe, readUpToDate: (work) => work(probe) };
  const apiKeys = createApiKeyReads(probed);
  const accounts = createAccountReads(probed);
  const list = prepareWebsiteList(probed);
  const get = prepareWebsiteGet(probed);
  const requireWritable = prepareWriteCheck(checkWritable);
  const shared = new SharedRead(async () => {
    await database.refreshProbe();
    await requireTables(probed);
    const [{ hash, account_id: accountId } = noKey] = await probe.read<ProbedKey>(newestKey);
    await apiKeys.findByHash(hash);
    // Its node may be the only one that failed, and the accounts of the others are to be served. Every node has the
    // keys.
    if (!database.isDistributed) {
      await accounts.get(accountId);
      const { websites: found } = await list(accountId, newest);
      await get(accountId, found[0]?.website.id ?? 0);
    }
    await requireWritable();
  });
  let startedAtMs = Number.NEGATIVE_INFINITY;
  let answer = Promise.resolve();
  return () => {
    const nowMs = performance.now();
    if (nowMs - startedAtMs >= maxAgeMs) {
      startedAtMs = nowMs;
      answer = withTimeout(shared.run(), maxWaitMs);
    }
    return answer;
  };
}

/** A check that fails for another reason, such as a busy database, says nothing of whether changes are accepted. */
function prepareWriteCheck(check: () => Promise<void>): () => Promise<void> {
  let refusal: unknown;
  const shared = new SharedRead(async () => {
    try {
      await check();
      refusal = undefined;
    } catch (error) {
      if (isForOperator(error)) refusal = error;
    }
  });
  return async () => {
    await withTimeout(shared.run(), maxWriteWaitMs).catch(() => undefined);
    if (refusal !== undefined) throw refusal;
  };
}

/** A node of a distributed database may lack a table that only changes use. */
async function requireTables({ primary, engine }: Database): Promise<void> {
  const found = await engine.findTables(primary);
  const missing = Object.keys(tables).filter((name) => !found.has(name));
  if (missing.length > 0) throw databaseNotMigrated(new Error(`These tables are missing: ${missing.join(", ")}.`));
}
