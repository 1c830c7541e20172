import { readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** Reads the ids of all processes below a process. Needs /proc. */
export function readDescendantIds(processId: number): number[] {
  const children = readChildIds(processId);
  return [...children, ...children.flatMap(readDescendantIds)];
}

/** Finds the Node process below a wrapper such as strace. */
export function findNodeProcess(processId: number): number | undefined {
  return [processId, ...readDescendantIds(processId)].find(isNode);
}

/** Reads how much memory a process uses, in bytes. */
export function readResidentBytes(processId: number): number {
  const status = readFileSync(`/proc/${processId}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

function readChildIds(processId: number): number[] {
  try {
    const text = readFileSync(`/proc/${processId}/task/${processId}/children`, "utf8");
    return text.split(" ").filter(Boolean).map(Number);
  } catch {
    // The process has ended, or /proc does not exist.
    return [];
  }
}

function isNode(processId: number): boolean {
  try {
    return basename(readlinkSync(`/proc/${processId}/exe`)) === basename(process.execPath);
  } catch {
    return false;
  }
}
