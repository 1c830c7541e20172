import { readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** The ids of the processes that a process has started, and theirs; only where /proc is. */
export function readDescendantIds(processId: number): number[] {
  const children = readChildIds(processId);
  return [...children, ...children.flatMap(readDescendantIds)];
}

/** The Node process in a tree that a wrapper such as strace leads. */
export function findNodeProcess(processId: number): number | undefined {
  return [processId, ...readDescendantIds(processId)].find(isNode);
}

/** Memory that a process holds, in bytes. */
export function readResidentBytes(processId: number): number {
  const status = readFileSync(`/proc/${processId}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

function readChildIds(processId: number): number[] {
  try {
    const text = readFileSync(`/proc/${processId}/task/${processId}/children`, "utf8");
    return text.split(" ").filter(Boolean).map(Number);
  } catch {
    // It has ended, or there is no /proc.
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
