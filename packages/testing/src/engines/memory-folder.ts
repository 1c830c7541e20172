import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";

/** The folder in memory of this run of tests, which `pnpm test` removes. */
const memoryFolder = process.env["TEST_SITEWARD_MEMORY"] ?? "/dev/shm";

/** Returns a folder in memory, or that of temporary files if fewer bytes are free there. Containers often have only 64 MiB. */
export async function findMemoryFolder(minBytes: number): Promise<string> {
  const space = await statfs(memoryFolder).catch(() => undefined);
  return space !== undefined && space.bavail * space.bsize >= minBytes ? memoryFolder : tmpdir();
}
