import { existsSync, readFileSync } from "node:fs";

/** Whether a process is alive. A zombie is not. */
export function isAlive(processId: number): boolean {
  const file = `/proc/${processId}/stat`;
  try {
    return existsSync(file) && !/\) [ZX]/.test(readFileSync(file, "utf8"));
  } catch {
    return false;
  }
}
