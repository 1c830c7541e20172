import { readdirSync, readFileSync } from "node:fs";

const maxWaitMs = 5_000;
const pauseMs = 50;

/**
 * Ends all processes of a run, and waits until they have ended. As Jenkins does, it finds them by their environment: that names the
 * folder of the run, also if their parent has ended. What these processes started with another environment are their descendants.
 * Only Linux shows the environment. Elsewhere, PostgreSQL ends by itself, within a minute after its files are removed.
 *
 * It does not return to the event loop, so that it can run while this process exits.
 */
export function endProcesses(folder: string): void {
  const deadlineMs = performance.now() + maxWaitMs;
  for (let round = 0; performance.now() < deadlineMs; round += 1) {
    const found = findProcesses(folder);
    if (found.length === 0) return;
    for (const { id, name } of found) {
      // With SIGKILL, PostgreSQL would leave shared memory.
      signal(id, name === "postgres" && round * pauseMs < maxWaitMs / 2 ? "SIGQUIT" : "SIGKILL");
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
}

interface RunningProcess {
  readonly id: number;
  readonly parentId: number;
  readonly name: string;
  readonly environment: readonly string[];
}

function findProcesses(folder: string): RunningProcess[] {
  const all = readProcesses();
  const found = new Set(all.filter(({ environment }) => environment.some((entry) => names(entry, folder))));
  // A set that grows is read to its end.
  for (const { id } of found) for (const child of all) if (child.parentId === id) found.add(child);
  return [...found];
}

/** A shell that was opened in the folder names it too. */
function names(entry: string, folder: string): boolean {
  return entry.includes(folder) && !/^(OLD)?PWD=/.test(entry);
}

function readProcesses(): RunningProcess[] {
  if (process.platform !== "linux") return [];
  const ids = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return ids.filter((id) => id !== process.pid).flatMap((id) => readProcess(id) ?? []);
}

/** Undefined for a process that has ended, or whose environment this user may not read. */
function readProcess(id: number): RunningProcess | undefined {
  try {
    // The name is in parentheses, and can contain spaces.
    const [, name = "", state = "", parentId = ""] =
      /\((.*)\) (\S) (\d+)/s.exec(readFileSync(`/proc/${id}/stat`, "utf8")) ?? [];
    if ("ZX".includes(state)) return undefined;
    const environment = readFileSync(`/proc/${id}/environ`, "utf8").split("\0");
    return { id, name, parentId: Number(parentId), environment };
  } catch {
    return undefined;
  }
}

function signal(id: number, name: NodeJS.Signals): void {
  try {
    process.kill(id, name);
  } catch {
    // It has ended meanwhile.
  }
}
