import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** What a process and all processes below it use. All are 0 if the system has no `/proc`. */
export interface ProcessUsage {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

/** Reads what a process and its descendants use now. */
export function readUsage(processId: number): ProcessUsage {
  const processes = [processId, ...readDescendantIds(processId)];
  return {
    cpuSeconds: sum(processes.map(readCpuTicks)) / ticksPerSecond(),
    residentBytes: sum(processes.map(readResidentBytes)),
  };
}

/** Reads the ids of all processes below a process. */
export function readDescendantIds(processId: number): number[] {
  const children = read(`/proc/${processId}/task/${processId}/children`).split(" ").filter(Boolean).map(Number);
  return [...children, ...children.flatMap(readDescendantIds)];
}

/** Fields 14 and 15 of the file, in user mode and in the kernel, of all threads. The name in field 2 can contain spaces. */
function readCpuTicks(processId: number): number {
  const stat = read(`/proc/${processId}/stat`);
  const [user = "0", system = "0"] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return Number(user) + Number(system);
}

function readResidentBytes(processId: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(read(`/proc/${processId}/status`))?.[1] ?? 0) * 1024;
}

/** Returns an empty string if the process has ended, or if the system has no `/proc`. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

let ticks: number | undefined;

function ticksPerSecond(): number {
  ticks ??= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  return ticks;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
