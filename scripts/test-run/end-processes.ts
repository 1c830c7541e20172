import { readdirSync, readFileSync } from "node:fs";
import { type ProcessStat, readProcessStat } from "./process-stat.ts";

const maxWaitMs = 5_000;
const pauseMs = 50;
/** How long a group has to end after SIGINT, on systems that do not show its processes. PostgreSQL takes 0.1 s. */
const groupWaitMs = 1_000;

/**
 * Ends all processes of a run. On Linux, it finds them as Jenkins does, by their environment, and waits until they have ended.
 * Elsewhere, it ends the process group as Ctrl-C does. On every system, it then kills what is left of the group.
 *
 * It does not return to the event loop, so that it can run while this process exits.
 *
 * @param groupId the process group of the step that ran last. Undefined if this process has not started it.
 */
export function endProcesses(folder: string, groupId: number | undefined): void {
  if (process.platform === "linux") endFoundProcesses(folder);
  else if (groupId !== undefined && signal(-groupId, "SIGINT")) pause(groupWaitMs);
  if (groupId !== undefined) signal(-groupId, "SIGKILL");
}

function endFoundProcesses(folder: string): void {
  const deadlineMs = performance.now() + maxWaitMs;
  for (let round = 0; performance.now() < deadlineMs; round += 1) {
    const found = findProcesses(folder);
    if (found.length === 0) return;
    for (const { id, name } of found) {
      // With SIGKILL, PostgreSQL would leave shared memory.
      signal(id, name === "postgres" && round * pauseMs < maxWaitMs / 2 ? "SIGQUIT" : "SIGKILL");
    }
    pause(pauseMs);
  }
}

interface RunningProcess extends ProcessStat {
  readonly id: number;
}

/** Finds the processes whose temporary folder is in that of the run, also if their parent has ended, and their descendants. */
function findProcesses(folder: string): RunningProcess[] {
  const all = readProcesses();
  const found = new Set(all.filter(({ id }) => isOfRun(id, folder)));
  // A set that grows is read to its end.
  for (const { id } of found) for (const child of all) if (child.parentId === id) found.add(child);
  return [...found];
}

function readProcesses(): RunningProcess[] {
  const ids = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return ids.flatMap((id) => {
    const stat = id === process.pid ? undefined : readProcessStat(id);
    return stat === undefined ? [] : [{ id, ...stat }];
  });
}

/** False for a process that has ended, or whose environment this user may not read. */
function isOfRun(id: number, folder: string): boolean {
  try {
    const environment = readFileSync(`/proc/${id}/environ`, "utf8").split("\0");
    return environment.some((entry) => `${entry}/`.startsWith(`TMPDIR=${folder}/`));
  } catch {
    return false;
  }
}

/** Returns false if it has ended meanwhile. */
function signal(id: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(id, name);
  } catch {
    return false;
  }
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
