import { openSync, writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { startBuiltServer } from "../built-server.ts";
import { AccountRows } from "./account-rows.ts";
import { createPostgres } from "./create-postgres.ts";
import { createSqlite } from "./create-sqlite.ts";
import { createWebsites } from "./create-websites.ts";
import { findMemoryFolder } from "./find-memory-folder.ts";
import type { Service } from "./service.ts";
import type { ServiceEngine } from "./service-database.ts";

const clockModule = new URL("./frozen-clock.ts", import.meta.url).href;

const engines = { SQLite: createSqlite, PostgreSQL: createPostgres } as const satisfies Record<string, ServiceEngine>;

/**
 * Starts the built server, with a clock that stands still until a test advances it.
 *
 * @param send how requests are sent
 */
export async function startBuiltService(
  send: typeof fetch = fetch,
  engine: keyof typeof engines = "SQLite",
): Promise<Service> {
  await using starting = new AsyncDisposableStack();
  const folder = await mkdtemp(join(await findMemoryFolder(), "siteward-e2e-"));
  starting.defer(() => rm(folder, { recursive: true, force: true }));
  const clock = openClock(join(folder, "clock"));
  const created = starting.use(await engines[engine]());
  const server = starting.use(
    await startBuiltServer({
      NODE_ENV: "production",
      DATABASE_URL: created.url,
      NODE_OPTIONS: `--import=${clockModule}`,
      FROZEN_CLOCK_FILE: clock.path,
    }),
  );
  await server.createAccount();
  const database = starting.use(await created.open());
  const rows = await AccountRows.open(database, clock.nowMs);
  const resources = starting.move();
  return {
    name: engine === "SQLite" ? "the built server" : `the built server on ${engine}`,
    createAccount(options) {
      const id = rows.addAccount(options);
      return {
        id,
        baseUrl: server.url,
        fetch: async (input, init) => {
          await database.written();
          return send(input, init);
        },
        createApiKey: (key) => rows.addApiKey(id, key),
        revokeApiKey: (key) => rows.revokeApiKey(key),
        createWebsites: async (key, domains) => {
          await database.written();
          await createWebsites(server.url, key, domains);
        },
        nowMs: clock.nowMs,
        advanceClock: clock.advance,
      };
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function openClock(path: string) {
  const file = openSync(path, "w");
  const timeMs = new Float64Array([Date.now()]);
  const write = () => writeSync(file, timeMs, 0, timeMs.byteLength, 0);
  write();
  return {
    path,
    nowMs: () => timeMs[0] ?? 0,
    advance(byMs: number) {
      timeMs[0] = (timeMs[0] ?? 0) + byMs;
      write();
    },
  };
}
