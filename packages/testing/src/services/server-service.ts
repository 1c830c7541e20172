import { AccountRows } from "../engines/account-rows.ts";
import { createDatabase } from "../engines/create-database.ts";
import type { Database, EngineName } from "../engines/database.ts";
import { startServer, type TargetServer } from "../servers/start-server.ts";
import { openClock } from "./open-clock.ts";
import { openLeanFetch } from "./open-lean-fetch.ts";
import type { Service } from "./service.ts";

/** The built server as a service. */
export interface ServerService extends Service {
  readonly server: TargetServer;
  readonly database: Database;
}

/** Starts the built server on a database of its own, with a clock that stands still until it is advanced. */
export async function startServerService(engine: EngineName, workers = 1): Promise<ServerService> {
  await using starting = new AsyncDisposableStack();
  // On a disk, the sequences would wait for 15,000 commits.
  const database = starting.use(await createDatabase(engine, { isMigrated: true, inMemory: true }));
  const clock = starting.use(openClock());
  const server = starting.use(await startServer(database.url, { workers, settings: clock.settings }));
  const lean = starting.use(openLeanFetch());
  const rows = new AccountRows(database, clock.nowMs);
  const resources = starting.move();
  return {
    name: `the built server on ${engine}`,
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
      };
    },
    nowMs: clock.nowMs,
    advanceClock: clock.advance,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
