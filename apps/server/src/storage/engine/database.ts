import { setTimeout } from "node:timers/promises";
import { isRefusedFor } from "@siteward/service";
import type { StorageLoad } from "../interface/storage-load.ts";
import { chooseEngine } from "./choose-engine.ts";
import {
  createReader,
  type QueryTools,
  type Reader,
  toQuery,
  toWriteConnection,
  type WriteConnection,
} from "./connection.ts";
import type { Engine, EngineOptions, OpenEngine } from "./engine.ts";
import { Replicas } from "./replicas.ts";
import { accountOf } from "./statement.ts";

// What the rest of storage needs of an engine, so that it knows only this folder.
export type { DatabaseLocation, ReadConnection, WriteConnection } from "./connection.ts";
export type { Engine, SchemaWords } from "./engine.ts";

/** An open database, for the stores, the migrations and the copy. */
export interface Database extends Omit<OpenEngine, "read" | "write" | "writeRows" | "probe" | "replication" | "load"> {
  /** Reads the primary database, which always shows every acknowledged change. */
  readonly primary: Reader;
  /**
   * Reads a replica that has every change that was acknowledged before the call, or the primary if no replica does.
   * `work` runs again on the primary if the replica fails.
   */
  readUpToDate<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` in a transaction of the primary, which commits when `work` returns and rolls back when it throws. If another
   * transaction conflicts with it, `work` runs again from the start after a short pause, which does not block the process.
   *
   * Not every engine blocks other writers during the transaction. `work` must therefore first change, or select with
   * `forUpdate`, the row whose state it relies on. Work that changes the number of websites begins with the row of the account.
   *
   * @throws AppError if conflicts last too long or the database cannot write
   */
  write<Result>(work: (transaction: WriteConnection) => Promise<Result>, accountId?: number): Promise<Result>;
  /** Like `write`, with one statement, which may be committed together with others of its account. */
  readonly writeOne: WriteConnection["write"];
  /** For the health check only: it never reads a replica. */
  readonly probe: Reader;
  readonly engine: Engine;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
  load(): StorageLoad;
}

export interface DatabaseOptions extends Partial<Omit<EngineOptions, "databaseUrl">> {
  /** Such as `file:./data/siteward.db` or `postgres://user@host/database`. */
  readonly databaseUrl: string;
  /** Called once each time that a replica fails and is not read for a while, with the reason. */
  readonly onReplicaFault?: (error: unknown) => void;
  /** The system clock by default. */
  readonly now?: Database["now"];
  readonly log?: QueryTools["log"];
}

/** The name of the database URL in messages, unless the caller names its setting. */
export const defaultSetting = "The URL of the database";

/** Opens the database and does not migrate it. @throws InstallationError that says what is wrong with it or its URL */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { setting = defaultSetting } = options;
  const engine = await chooseEngine({ databaseUrl: options.databaseUrl, setting });
  const open = await engine.open({ replicas: [], ...options, setting });
  const tools = { mark: engine.mark, log: options.log };
  const primary = createReader(open.read, tools);
  const replicas = new Replicas(open.replication, tools, options.onReplicaFault);
  return {
    ...open,
    engine,
    primary,
    // Without replicas, this saves each read a promise.
    readUpToDate: (work) => (open.replication.replicas.length === 0 ? work(primary) : replicas.run(primary, work)),
    write: (work, accountId) =>
      retryConflicts(engine, () => open.write((connection) => work(toWriteConnection(connection, tools)), accountId)),
    writeOne(statement, values = {}) {
      const query = { ...toQuery(tools, statement, values), accountId: accountOf(values) };
      return retryConflicts(engine, () => open.writeRows(query));
    },
    probe: createReader(open.probe, tools),
    now: options.now ?? Date.now,
    load: () => ({ ...open.load(), replication: replicas.load() }),
  };
}

const maxWaitMs = 5000;
const maxPauseMs = 20;

async function retryConflicts<Result>(engine: Engine, attempt: () => Promise<Result>): Promise<Result> {
  const startMs = performance.now();
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isOver = isRefusedFor(error, "outcome_unknown") || performance.now() - startMs > maxWaitMs;
      if (isOver || !engine.isRetryable(error)) throw error;
    }
    // The random pause keeps writers that conflicted once from conflicting again.
    await setTimeout(1 + Math.random() * Math.min(count, maxPauseMs));
  }
}
