import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** Reads the ids of all processes below a process. Empty if it has ended, or if the system has no /proc. */
export function readDescendantIds(processId: number): number[] {
  const children = read(`/proc/${processId}/task/${processId}/children`).split(" ").filter(Boolean).map(Number);
  return [...children, ...children.flatMap(readDescendantIds)];
}

/** Finds the Node process below a wrapper such as strace. */
export function findNodeProcess(processId: number): number | undefined {
  return [processId, ...readDescendantIds(processId)].find(isNode);
}

/**
 * JavaScript that returns the most memory that its own process used, in bytes. `process.resourceUsage().maxRSS` begins with what the
 * process used that started this one, such as a test. 0 if the system has no /proc.
 */
export const peakBytesOfItself = `(() => {
  const { existsSync, readFileSync } = process.getBuiltinModule("fs");
  const file = "/proc/self/status";
  return existsSync(file) ? Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync(file, "utf8"))[1]) * 1024 : 0;
})()`;

/** Reads how much memory a process uses, in bytes. 0 if it has ended, or if the system has no /proc. */
export function readResidentBytes(processId: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(read(`/proc/${processId}/status`))?.[1] ?? 0) * 1024;
}

/**
 * Reads how much processor time a process has used, in user mode and in the kernel: of all threads, and of the processes below it
 * that have ended. 0 as above.
 */
export function readCpuSeconds(processId: number): number {
  const stat = read(`/proc/${processId}/stat`);
  // Fields 14 to 17 of the file. The name in field 2 can contain spaces.
  const ticksUsed = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 15);
  return ticksUsed.reduce((sum, used) => sum + Number(used), 0) / ticksPerSecond();
}

/** Reads how long the main thread of a process has run on a core, in milliseconds. */
export function readMainThreadMs(processId: number): number {
  const [onCoreNs] = read(`/proc/${processId}/task/${processId}/schedstat`).split(" ");
  return Number(onCoreNs) / 1e6;
}

let ticks: number | undefined;

function ticksPerSecond(): number {
  ticks ??= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  return ticks;
}

function isNode(processId: number): boolean {
  try {
    return basename(readlinkSync(`/proc/${processId}/exe`)) === basename(process.execPath);
  } catch {
    return false;
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
