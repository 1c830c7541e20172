import { statfs } from "node:fs/promises";

/** Returns how many bytes a folder has left for this user. Undefined on a file system that does not say it, as some in a network do. */
export async function readFreeBytes(folder: string): Promise<number | undefined> {
  const { blocks, bavail, bsize } = await statfs(folder);
  return blocks === 0 ? undefined : bavail * bsize;
}
