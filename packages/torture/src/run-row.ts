import type { Engine } from "./engines/database.ts";
import type { EngineName } from "./engines/engine-name.ts";
import { createRandom } from "./random.ts";
import type { Attack, Outcome, Row } from "./row.ts";
import { createAccount, operate } from "./servers/operate.ts";
import { startServer } from "./servers/target-server.ts";

export interface RunOptions {
  readonly engineName: EngineName;
  readonly engine: Engine;
  readonly rounds: number;
  readonly seed: number;
  readonly isSabotaged: boolean;
  readonly serverBin: string;
}

/** An outcome and how long it took. */
export interface RunResult extends Outcome {
  readonly durationMs: number;
  /** Whether the row itself failed, so that its violations say nothing about the promise. */
  readonly hasFailed: boolean;
}

/** Runs a row on one engine, and ends everything that it started. A row that throws counts as a broken promise. */
export async function runRow(row: Row, options: RunOptions): Promise<RunResult> {
  const startedAtMs = performance.now();
  await using started = new AsyncDisposableStack();
  try {
    const outcome = await row.run(createAttack(options, started));
    return { ...outcome, durationMs: performance.now() - startedAtMs, hasFailed: false };
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const durationMs = performance.now() - startedAtMs;
    return { figures: {}, violations: [`The row failed: ${why}`], durationMs, hasFailed: true };
  }
}

function createAttack(
  { engineName, engine, seed, serverBin, ...options }: RunOptions,
  started: AsyncDisposableStack,
): Attack {
  return {
    engine: engineName,
    rounds: options.rounds,
    random: createRandom(seed),
    isSabotaged: options.isSabotaged,
    serverBin,
    createDatabase: async (databaseOptions) => started.use(await engine.createDatabase(databaseOptions)),
    start: async (database, serverOptions) => started.use(await startServer(serverBin, database.url, serverOptions)),
    operate: (database, ...commandLine) => operate(serverBin, database.url, commandLine),
    createAccount: (database, accountOptions = {}) => createAccount(serverBin, database.url, accountOptions),
  };
}
