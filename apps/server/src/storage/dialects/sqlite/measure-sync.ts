import { open, rm } from "node:fs/promises";
import { medianTimeMs } from "../median-time.ts";

/** A page of SQLite. A commit of one change writes a few. */
const writeBytes = 4096;

/**
 * Returns how long the disk takes to store a page safely: the median of three writes to a new file, which is deleted.
 *
 * @param path of the file, next to the database. One that is left from a process that was killed is replaced.
 */
export async function measureSyncMs(path: string): Promise<number> {
  await rm(path, { force: true });
  const file = await open(path, "wx", 0o600);
  try {
    return await medianTimeMs(async (repetition) => {
      await file.write(Buffer.alloc(writeBytes, repetition), 0, writeBytes, repetition * writeBytes);
      await file.datasync();
    });
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}
