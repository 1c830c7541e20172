import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@siteward/testing/engines/database";
import type { Random } from "@siteward/testing/random";
import type { TargetServer } from "@siteward/testing/servers/start-server";

const maxTries = 200;

/** Stops a worker, on SQLite while it has the write lock. Returns its id. */
export async function stopWorker(server: TargetServer, { file }: Database, random: Random): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const processId = random.pick(server.answeringIds());
    process.kill(processId, "SIGSTOP");
    // The lock is held longer than a commit takes, so the stopped process has it.
    if (file === undefined || tries === maxTries || !canLock(file, 150)) return processId;
    process.kill(processId, "SIGCONT");
    await sleep(random.integer(1, 10));
  }
}

/** Whether the write lock of a database is free within this time. */
export function canLock(file: string, timeoutMs: number): boolean {
  using database = new DatabaseSync(file, { timeout: timeoutMs });
  try {
    database.exec("begin immediate; rollback");
    return true;
  } catch {
    return false;
  }
}
