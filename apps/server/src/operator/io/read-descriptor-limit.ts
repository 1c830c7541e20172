import { readFile } from "node:fs/promises";

/**
 * Returns how many files and connections this process may open. Node raises the limit of each process to the largest that it may have.
 * Undefined on systems other than Linux.
 */
export async function readDescriptorLimit(): Promise<number | undefined> {
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
  const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? [];
  if (soft === undefined) return undefined;
  return soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft);
}
