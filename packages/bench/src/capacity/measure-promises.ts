import { median } from "../../../../scripts/median.ts";
import type { CostFigure, PromiseFigure } from "../docs/figures.ts";
import type { BenchDatabase, BenchEngine } from "../engines/bench-engine.ts";
import { measureInTurn } from "../measure/measure-in-turn.ts";
import { measureRequests } from "../measure/measure-requests.ts";
import { scenarios } from "../measure/scenarios.ts";
import { startTarget } from "../measure/targets.ts";
import type { Options } from "../options.ts";
import { operate } from "../processes/server-program.ts";
import type { StartedProcess } from "../processes/started-process.ts";
import { type ChangeName, changes, type PromiseName, promises, promisesOf, requestOf } from "./promises.ts";

interface PromisingServer {
  readonly server: StartedProcess;
  readonly database: BenchDatabase;
  readonly limitedKey: string;
}

/**
 * Measures what changes cost without promises, with each of them, and with all, in turn. One server makes all of them: two
 * processes are compiled and scheduled apart, which could hide what a rate limit costs.
 */
export async function measurePromises(engine: BenchEngine, options: Options): Promise<PromiseFigure[]> {
  const database = await engine.createDatabase(options.websites);
  const limitedKey = await createLimitedKey(database);
  await using server = await startTarget("siteward", database.url);
  const figures: PromiseFigure[] = [];
  for (const change of changes) {
    figures.push(...(await measureChange(engine, { server, database, limitedKey }, change, options)));
  }
  return figures;
}

/** The limit is the highest, which no load reaches. */
async function createLimitedKey({ url }: BenchDatabase): Promise<string> {
  const flags = ["--account", "1", "--name", "limited", "--rate-limit", "1000000"];
  const { key } = await operate(url, ["keys", "create", ...flags]);
  return String(key);
}

async function measureChange(
  engine: BenchEngine,
  { server, database, limitedKey }: PromisingServer,
  change: ChangeName,
  options: Options,
): Promise<PromiseFigure[]> {
  const { callers } = scenarios[change];
  const results = await measureInTurn(promisesOf(change), options, async (name, seconds) => {
    const { hasTrail, hasRateLimit } = promises[name];
    await database.keepAuditEntries(hasTrail);
    const served = { server, database: { ...database, apiKey: hasRateLimit ? limitedKey : database.apiKey } };
    return measureRequests(engine, served, { request: requestOf(change, name), callers, seconds });
  });
  const costOf = (promise: PromiseName, name: "cpuMicroseconds" | "databaseMicroseconds"): CostFigure => {
    const rounds = results[promise].map((result, round) => ({
      total: result[name],
      added: result[name] - (results.none[round]?.[name] ?? Number.NaN),
    }));
    return { total: median(rounds.map(({ total }) => total)), added: median(rounds.map(({ added }) => added)) };
  };
  return promisesOf(change).map((promise) => ({
    engine: engine.name,
    change,
    promise,
    server: costOf(promise, "cpuMicroseconds"),
    database: costOf(promise, "databaseMicroseconds"),
  }));
}
