import { mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { startBuiltServer } from "../built-server.ts";
import { AccountRows } from "./account-rows.ts";
import type { Service } from "./service.ts";

const clockModule = new URL("./frozen-clock.ts", import.meta.url).href;

/**
 * Starts the built server on SQLite, with a clock that stands still until a test advances it.
 *
 * @param send how requests are sent
 */
export async function startBuiltService(send: typeof fetch = fetch): Promise<Service> {
  const folder = mkdtempSync(join(await chooseFolder(), "siteward-e2e-"));
  const database = join(folder, "siteward.db");
  const clock = openClock(join(folder, "clock"));
  const server = await startBuiltServer({
    NODE_ENV: "production",
    DATABASE_URL: `file:${database}`,
    NODE_OPTIONS: `--import=${clockModule}`,
    FROZEN_CLOCK_FILE: clock.path,
  });
  await server.createAccount();
  const connection = new DatabaseSync(database, { timeout: 30_000 });
  const rows = new AccountRows(connection, clock.nowMs);
  return {
    name: "the built server",
    createAccount(options) {
      const accountId = rows.addAccount(options);
      return {
        baseUrl: server.url,
        fetch: send,
        createApiKey: (key) => rows.addApiKey(accountId, key),
        nowMs: clock.nowMs,
        advanceClock: clock.advance,
      };
    },
    async [Symbol.asyncDispose]() {
      connection.close();
      await server[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A database of 2,500 sequences has 20 MB. On a disk, the sequences wait for 15,000 commits. */
async function chooseFolder(): Promise<string> {
  const memory = "/dev/shm";
  const space = await statfs(memory).catch(() => undefined);
  return space !== undefined && space.bavail * space.bsize >= minMemoryBytes ? memory : tmpdir();
}

const minMemoryBytes = 2 ** 30;

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
