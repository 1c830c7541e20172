import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "./engines/database.ts";
import type { EngineName } from "./engines/engine-name.ts";
import { createRandom } from "./random.ts";
import type { Attack } from "./row.ts";
import { createAccount, operate } from "./servers/operate.ts";
import { startServer } from "./servers/target-server.ts";

export interface AttackOptions {
  readonly engineName: EngineName;
  readonly engine: Engine;
  readonly rounds: number;
  readonly seed: number;
  readonly isSabotaged: boolean;
  readonly serverBin: string;
}

/** Creates the tools of a row. What is started with them ends with `started`. */
export function createAttack(
  { engineName, engine, seed, serverBin, rounds, isSabotaged }: AttackOptions,
  started: AsyncDisposableStack,
): Attack {
  return {
    engine: engineName,
    rounds,
    random: createRandom(seed),
    isSabotaged,
    serverBin,
    createDatabase: async (databaseOptions) => started.use(await engine.createDatabase(databaseOptions)),
    createFolder: async () => {
      const folder = await mkdtemp(join(tmpdir(), "siteward-torture-"));
      started.defer(() => rm(folder, { recursive: true, force: true }));
      return folder;
    },
    start: async (database, serverOptions) => started.use(await startServer(serverBin, database.url, serverOptions)),
    operate: (database, ...commandLine) => operate(serverBin, database.url, commandLine),
    createAccount: (database, accountOptions = {}) => createAccount(serverBin, database.url, accountOptions),
  };
}
