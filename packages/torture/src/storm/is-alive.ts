import { existsSync, readFileSync } from "node:fs";

/** One that has ended and that nobody has asked about yet is not alive. */
export function isAlive(processId: number): boolean {
  const file = `/proc/${processId}/stat`;
  try {
    return existsSync(file) && !/\) [ZX]/.test(readFileSync(file, "utf8"));
  } catch {
    return false;
  }
}
