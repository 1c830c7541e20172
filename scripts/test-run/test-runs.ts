import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { basename, join } from "node:path";

/** The folders of a run of tests, which contain everything that it writes outside of the repository. */
export interface TestRun {
  readonly folder: string;
  /** A folder in memory with the same name. Undefined if the system has none. */
  readonly memory: string | undefined;
}

/** The process that opened a run. */
interface Owner {
  readonly processId: number;
  /** Containers can share a folder, but not their processes. */
  readonly host: string;
}

const prefix = "siteward-test-";
const ownerFile = "owner.json";

/** Creates the folders of a run of this process. */
export function createTestRun(): TestRun {
  const run = withMemory(mkdtempSync(join(tmpdir(), prefix)));
  const owner: Owner = { processId: process.pid, host: hostname() };
  writeFileSync(join(run.folder, ownerFile), JSON.stringify(owner));
  if (run.memory !== undefined) mkdirSync(run.memory);
  // If the tests run as root, PostgreSQL runs as another user, and its files are in these folders.
  for (const folder of [run.folder, run.memory]) if (folder !== undefined) chmodSync(folder, 0o711);
  return run;
}

/** Finds the runs whose process has ended without removing them. */
export function findKilledRuns(): TestRun[] {
  const names = readdirSync(tmpdir()).filter((name) => name.startsWith(prefix));
  return names
    .map((name) => join(tmpdir(), name))
    .filter(isKilled)
    .map(withMemory);
}

export function removeTestRun({ folder, memory }: TestRun): void {
  for (const path of [memory, folder]) if (path !== undefined) rmSync(path, { recursive: true, force: true });
}

function withMemory(folder: string): TestRun {
  const memory = process.env["SITEWARD_TEST_MEMORY"] ?? "/dev/shm";
  return { folder, memory: existsSync(memory) ? join(memory, basename(folder)) : undefined };
}

/** A run of another user or machine cannot be judged, nor one whose owner is not written yet. */
function isKilled(folder: string): boolean {
  try {
    const { processId, host }: Owner = JSON.parse(readFileSync(join(folder, ownerFile), "utf8"));
    return host === hostname() && !isRunning(processId);
  } catch {
    return false;
  }
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    // A process of another user cannot be signaled.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
