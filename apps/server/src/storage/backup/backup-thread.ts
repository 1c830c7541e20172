import { once } from "node:events";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { CopyReport } from "../dialects/file-engine.ts";
import { InstallationError, type InstallationErrorCode } from "../interface/installation-error.ts";

/** Work that blocks a thread for as long as the disk takes. */
export interface BackupTask {
  readonly do: "copy" | "check";
  readonly databaseUrl: string;
  /** The database. */
  readonly path: string;
  readonly copy: { readonly path: string; readonly madeAt: Date };
}

export type BackupTaskResult =
  | { readonly report: CopyReport }
  | { readonly faults: readonly string[] }
  | { readonly error: string; readonly code: InstallationErrorCode };

/** Copies a database, or checks a copy of one, on a thread of its own. Meanwhile this one can tell how far it is, and be interrupted. */
export async function runOnThread(task: BackupTask): Promise<Exclude<BackupTaskResult, { error: string }>> {
  const thread = new Worker(program, { workerData: task });
  // The cast is safe: the thread sends one message, which is a result.
  const [result] = (await once(thread, "message")) as [BackupTaskResult];
  if (!("error" in result)) return result;
  const what = task.do === "copy" ? "The database could not be copied" : "The copy could not be checked";
  const message = result.code === "backup_failed" ? `${what}: ${result.error}.` : result.error;
  throw new InstallationError(result.code, message);
}

/** In the built server, the thread has a file of its own next to this one. In the sources, it is a TypeScript file. */
const isBuilt = extname(import.meta.url) === ".js";
const program = new URL(isBuilt ? "./run-backup-thread.js" : "../run-backup-thread.ts", import.meta.url);
