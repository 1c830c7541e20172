import { open, rm, stat } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { CliError } from "../errors/cli-error.ts";

/** A lock is kept for milliseconds. After this time, its process was killed, or its disk hangs. */
const abandonedAfterMs = 5_000;
const waitMs = 20;
const maxWaits = 500;

/**
 * Creates a file that only one process can have, after waiting for at most ten seconds. It is removed on disposal. A file that a
 * killed process left is removed after five seconds.
 *
 * @throws CliError `settings_unusable` if another process keeps it
 * @throws NodeJS.ErrnoException if the file cannot be created
 */
export async function lockFile(path: string): Promise<AsyncDisposable> {
  for (let waits = 0; waits < maxWaits; waits += 1) {
    // If it cannot be removed, the change is done all the same, and the file counts as abandoned soon.
    if (await createFile(path))
      return { [Symbol.asyncDispose]: () => rm(path, { force: true }).catch(() => undefined) };
    if (await isAbandoned(path)) await rm(path, { force: true });
    else await setTimeout(waitMs);
  }
  throw new CliError("settings_unusable", `${path} exists, so another command is changing the profiles.`, "Delete it.");
}

/** Returns whether the file is new. */
async function createFile(path: string): Promise<boolean> {
  try {
    await (await open(path, "wx", 0o600)).close();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs > abandonedAfterMs;
  } catch {
    // It was removed in the meantime.
    return false;
  }
}
