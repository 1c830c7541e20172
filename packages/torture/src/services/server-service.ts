import { AccountRows } from "../engines/account-rows.ts";
import type { Database } from "../engines/database.ts";
import type { Attack } from "../row.ts";
import type { TargetServer } from "../servers/target-server.ts";
import { createWebsites } from "./create-websites.ts";
import { openClock } from "./open-clock.ts";
import { openLeanFetch } from "./open-lean-fetch.ts";
import type { Service } from "./service.ts";

/** The built server as a service. Whoever made the attack ends its process. */
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
  const server = await attack.start(database, { settings: clock.settings });
  const lean = openLeanFetch();
  const rows = new AccountRows(database, attack.random.fork("API keys"), clock.nowMs);
  return {
    name: `the built server on ${attack.engine}`,
    server,
    database,
    createAccount(options) {
      const id = rows.addAccount(options);
      return {
        id,
        baseUrl: server.url,
        async fetch(input, init) {
          await rows.written();
          return await lean.fetch(input, init);
        },
        createApiKey: (key) => rows.addApiKey(id, key),
        revokeApiKey: (key) => rows.revokeApiKey(key),
        async createWebsites(key, domains) {
          await rows.written();
          await createWebsites(server.url, key, domains);
        },
      };
    },
    nowMs: clock.nowMs,
    advanceClock: clock.advance,
    async [Symbol.asyncDispose]() {
      lean[Symbol.dispose]();
      clock[Symbol.dispose]();
    },
  };
}
