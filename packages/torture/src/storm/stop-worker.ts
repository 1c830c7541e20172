import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "@siteward/testing/process-tree";
import type { Database } from "../engines/database.ts";
import type { Attack } from "../row.ts";
import type { TargetServer } from "../servers/target-server.ts";
import { startLoad } from "./load.ts";
import type { StormTarget } from "./storm-target.ts";
import { untilWell } from "./until-well.ts";

const maxWellMs = 15_000;
/** The sabotage: nothing replaces a single process. The row must notice that, and does not need to wait long for it. */
const sabotagedMaxWellMs = 2_000;
const workers = 4;
/** The server listens once its first worker does. The others must also listen before one of them is stopped. */
const settleMs = 2_500;

/** Stops a worker under load, on SQLite while it has the write lock, and waits until the server has recovered. */
export async function stopWorker({ attack, database, account }: StormTarget) {
  await using server = await attack.start(database, { workers: attack.isSabotaged ? 1 : workers });
  await using load = startLoad(server.port, account, "hang");
  await sleep(settleMs);
  const stoppedId = await stopOne(attack, server, database);
  const sinceMs = performance.now();
  const maxMs = attack.isSabotaged ? sabotagedMaxWellMs : maxWellMs;
  const isWhole = () => !isAlive(stoppedId) && server.answeringIds().length === workers;
  const wellAfterMs = await untilWell({ load, sinceMs, maxMs, isWhole });
  const violations: string[] = [];
  if (wellAfterMs > maxMs)
    violations.push(`${maxMs} ms after a worker hung, it is not replaced or requests still fail: ${load.faults()}.`);
  violations.push(...findHeldLock(database));
  // The worker is gone, or continues, so that it can be killed with the others.
  continueProcess(stoppedId);
  return { wellAfterMs, failed: load.failed(), violations };
}

const maxTries = 200;

async function stopOne({ random }: Attack, server: TargetServer, { file }: Database): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const processId = random.pick(server.answeringIds());
    process.kill(processId, "SIGSTOP");
    if (file === undefined || tries === maxTries || isLocked(file)) return processId;
    continueProcess(processId);
    await sleep(random.integer(1, 10));
  }
}

/** Whether the lock is held longer than a commit takes, which means that the stopped process has it. */
function isLocked(file: string): boolean {
  return !takesLock(file, 150);
}

function findHeldLock({ file }: Database): string[] {
  return file === undefined || takesLock(file, 5_000) ? [] : ["The write lock is still held."];
}

function takesLock(file: string, timeoutMs: number): boolean {
  const database = new DatabaseSync(file, { timeout: timeoutMs });
  try {
    database.exec("begin immediate; rollback");
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}

function continueProcess(processId: number): void {
  try {
    process.kill(processId, "SIGCONT");
  } catch {
    // The process was killed.
  }
}
