import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";

/**
 * Returns a folder in memory if the system has enough of it. A database of 2,500 sequences has 20 MB, and that of PostgreSQL
 * has 60 MB. On a disk, the sequences wait for 15,000 commits.
 */
export async function findMemoryFolder(): Promise<string> {
  const memory = "/dev/shm";
  const space = await statfs(memory).catch(() => undefined);
  return space !== undefined && space.bavail * space.bsize >= minMemoryBytes ? memory : tmpdir();
}

const minMemoryBytes = 2 ** 30;
