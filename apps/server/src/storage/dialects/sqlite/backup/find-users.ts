import { readFile, stat } from "node:fs/promises";
import { pid } from "node:process";

/**
 * Returns the processes that have locked one of these files, which every connection of SQLite does. Linux says it of the processes in the
 * same container. On other systems, or if a file system shows other numbers of its device, such as btrfs, there are none.
 *
 * It also finds a server whose database file was moved or deleted: it still uses the other files.
 */
export async function findUsers(files: readonly string[]): Promise<number[]> {
  const locks = await readFile("/proc/locks", "utf8").catch(() => "");
  const places = new Set<string>();
  for (const file of files) {
    const found = await stat(file).catch(() => undefined);
    if (found !== undefined) places.add(describePlace(found));
  }
  return findLockers(locks, places).filter((user) => user !== pid);
}

/** Reads lines such as `1: POSIX  ADVISORY  READ 11372 fe:00:2483306 128 128`. */
function findLockers(locks: string, places: ReadonlySet<string>): number[] {
  const found = [...locks.matchAll(/^\d+: \S+ +\S+ +\S+ +(\d+) +([0-9a-f]+:[0-9a-f]+:\d+) /gm)];
  const users = found.filter(([, , place]) => place !== undefined && places.has(place)).map(([, user]) => Number(user));
  return [...new Set(users)].toSorted((a, b) => a - b);
}

/** Linux puts the two numbers of a device into one: https://man7.org/linux/man-pages/man3/makedev.3.html */
function describePlace({ dev, ino }: { readonly dev: number; readonly ino: number }): string {
  const major = (dev >>> 8) & 0xfff;
  const minor = (dev & 0xff) | ((dev >>> 12) & 0xfff00);
  const render = (number: number) => number.toString(16).padStart(2, "0");
  return `${render(major)}:${render(minor)}:${ino}`;
}
