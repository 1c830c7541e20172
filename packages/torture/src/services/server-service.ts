import type { Database } from "../engines/database.ts";
import { insertAccounts } from "../engines/insert-accounts.ts";
import type { Attack } from "../row.ts";
import type { TargetServer } from "../servers/target-server.ts";
import { openClock } from "./open-clock.ts";
import { openLeanFetch } from "./open-lean-fetch.ts";
import type { Service } from "./service.ts";

const clockModule = new URL("./frozen-clock.ts", import.meta.url).href;

/** The built server as a service. The row that starts it ends its process. */
export interface ServerService extends Service {
  readonly server: TargetServer;
  readonly database: Database;
}

/** Starts the built server with a clock that stands still until it is advanced. */
export async function startServerService(attack: Attack): Promise<ServerService> {
  // On a disk, the sequences would wait for 15,000 commits.
  const database = await attack.createDatabase({ inMemory: true });
  await attack.operate(database, "migrate");
  const clock = openClock();
  const settings = { NODE_OPTIONS: `--import=${clockModule}`, FROZEN_CLOCK_FILE: clock.path };
  const server = await attack.start(database, { settings });
  const lean = openLeanFetch();
  const random = attack.random.fork("API keys");
  const next = { accountId: 1, keyId: 1 };
  return {
    name: "the built server",
    server,
    database,
    async createAccounts(accounts) {
      const inserted = await insertAccounts(database, random, accounts, { nowMs: clock.nowMs(), ...next });
      next.accountId += accounts.length;
      next.keyId += accounts.flatMap(({ keys }) => keys).length;
      return inserted.map(({ apiKeys }) => ({ baseUrl: server.url, fetch: lean.fetch, apiKeys }));
    },
    nowMs: clock.nowMs,
    advanceClock: clock.advance,
    async [Symbol.asyncDispose]() {
      lean[Symbol.dispose]();
      clock[Symbol.dispose]();
    },
  };
}
