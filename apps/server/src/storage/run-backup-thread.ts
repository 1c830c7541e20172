import { parentPort, workerData } from "node:worker_threads";
import type { BackupTask, BackupTaskResult } from "./backup/backup-thread.ts";
import { chooseFileEngine } from "./database/choose-dialect.ts";
import type { FileEngine } from "./dialects/file-engine.ts";
import { InstallationError } from "./interface/installation-error.ts";

// The cast is safe: only `runOnThread` starts this file.
const task = workerData as BackupTask;
const engine = await chooseFileEngine({ databaseUrl: task.databaseUrl, setting: "" });
parentPort?.postMessage(engine === undefined ? undefined : tryTo(engine));

function tryTo({ copy, findDamage }: FileEngine): BackupTaskResult {
  try {
    if (task.do === "copy") return { report: copy(task.path, task.copy) };
    return { faults: findDamage(task.copy.path) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { error: message, code: error instanceof InstallationError ? error.code : "backup_failed" };
  }
}
