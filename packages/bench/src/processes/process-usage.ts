import { readCpuSeconds, readDescendantIds, readResidentBytes } from "@siteward/testing/process-tree";

/** What a process and all processes below it use, and for processor time also those that have ended. All are 0 if the system has no `/proc`. */
export interface ProcessUsage {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

/** Reads what a process and its descendants use now. */
export function readUsage(processId: number): ProcessUsage {
  const processes = [processId, ...readDescendantIds(processId)];
  return { cpuSeconds: sum(processes.map(readCpuSeconds)), residentBytes: sum(processes.map(readResidentBytes)) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
