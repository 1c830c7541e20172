import { readFileSync } from "node:fs";

/** The time for which the main thread of a process has had a core, in milliseconds; only where /proc is. */
export function readMainThreadMs(processId: number): number {
  const [onCoreNs] = readFileSync(`/proc/${processId}/task/${processId}/schedstat`, "utf8").split(" ");
  return Number(onCoreNs) / 1e6;
}
