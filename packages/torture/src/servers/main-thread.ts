import { readFileSync } from "node:fs";

/** Reads how long the main thread of a process has run on a core, in milliseconds. Needs /proc. */
export function readMainThreadMs(processId: number): number {
  const [onCoreNs] = readFileSync(`/proc/${processId}/task/${processId}/schedstat`, "utf8").split(" ");
  return Number(onCoreNs) / 1e6;
}
