import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { readProcessStat } from "./process-stat.ts";

/** The folders of a run of tests, which contain everything that it writes outside of the repository. */
export interface TestRun {
  readonly folder: string;
  /** A folder in memory with the same name. Undefined if the system has none. */
  readonly memory: string | undefined;
}

/** The process that opened a run. Containers can share a folder and the name of a host, but not their processes. */
interface Owner {
  readonly processId: number;
  readonly host: string;
  /** The namespace of the ID, and when the process started, if the system has /proc: IDs are given again. */
  readonly namespace: string | undefined;
  readonly startedAt: string | undefined;
}

const prefix = "siteward-test-";
/** What `mkdtemp` creates. */
const folderName = new RegExp(`^${prefix}[A-Za-z0-9]{6}$`);
const ownerFile = "owner.json";

/** Creates the folders of a run of this process. */
export function createTestRun(): TestRun {
  const run = withMemory(mkdtempSync(join(tmpdir(), prefix)));
  writeFileSync(join(run.folder, ownerFile), JSON.stringify(thisProcess()));
  if (run.memory !== undefined) mkdirSync(run.memory);
  // If the tests run as root, PostgreSQL runs as another user, and its files are in these folders.
  for (const folder of [run.folder, run.memory]) if (folder !== undefined) chmodSync(folder, 0o711);
  return run;
}

/** Finds the runs whose process has ended without removing them. */
export function findKilledRuns(): TestRun[] {
  return readdirSync(tmpdir())
    .filter((name) => folderName.test(name))
    .map((name) => join(tmpdir(), name))
    .filter(isKilled)
    .map(withMemory);
}

export function removeTestRun({ folder, memory }: TestRun): void {
  // A process that was just killed can still add a file.
  const options = { recursive: true, force: true, maxRetries: 5 };
  for (const path of [memory, folder]) if (path !== undefined) rmSync(path, options);
}

function withMemory(folder: string): TestRun {
  const memory = process.env["SITEWARD_TEST_MEMORY"] ?? "/dev/shm";
  return { folder, memory: existsSync(memory) ? join(memory, basename(folder)) : undefined };
}

/** A run of another user, machine or container cannot be judged, nor one whose owner is not written yet. */
function isKilled(folder: string): boolean {
  try {
    const found = lstatSync(folder);
    if (!found.isDirectory() || found.uid !== process.getuid?.()) return false;
    const owner: Owner = JSON.parse(readFileSync(join(folder, ownerFile), "utf8"));
    const here = thisProcess();
    return owner.host === here.host && owner.namespace === here.namespace && !isRunning(owner);
  } catch {
    return false;
  }
}

function isRunning({ processId, startedAt }: Owner): boolean {
  if (startedAt !== undefined) return readProcessStat(processId)?.startedAt === startedAt;
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}

function thisProcess(): Owner {
  const startedAt = readProcessStat(process.pid)?.startedAt;
  const namespace = startedAt === undefined ? undefined : readlinkSync("/proc/self/ns/pid");
  return { processId: process.pid, host: hostname(), namespace, startedAt };
}
