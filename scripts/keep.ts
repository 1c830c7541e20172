import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

/**
 * The keeper: runs a command, then ends all that it started, and removes the folders that it wrote to. Its stdin is a pipe from the process
 * that started it, which ends however that process ends, also after SIGKILL. Then the command ends, too.
 */
const [command = "", ...words] = process.argv.slice(2);
const folder = createFolder(tmpdir());
const memory = existsSync("/dev/shm") ? createFolder("/dev/shm") : undefined;
const child = spawn(command, words, {
  env: { ...process.env, TMPDIR: folder, ...(memory && { TEST_SITEWARD_MEMORY: memory }) },
  // A process group of its own, which is what the keeper ends.
  detached: true,
  stdio: ["ignore", "inherit", "inherit"],
});
const [status] = await Promise.race([once(child, "exit"), once(process.stdin.resume(), "end")]);
if (child.pid !== undefined) await endGroup(child.pid);
for (const path of [folder, memory]) if (path) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
process.exit(status ?? 1);

function createFolder(place: string): string {
  const path = mkdtempSync(join(place, "siteward-test-"));
  // If the tests run as root, PostgreSQL runs as another user, and its files are in these folders.
  chmodSync(path, 0o711);
  return path;
}

/** PostgreSQL ends in 0.1 s after SIGINT, and would leave shared memory after SIGKILL. What has not ended after 5 s is killed. */
async function endGroup(id: number): Promise<void> {
  for (let round = 0; round < 120; round += 1) {
    if (!signalGroup(id, round < 100 ? "SIGINT" : "SIGKILL")) return;
    await setTimeout(50);
  }
}

/** Returns false if the group has ended. */
function signalGroup(id: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(-id, signal);
  } catch {
    return false;
  }
}
