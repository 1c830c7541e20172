import type { Random } from "@siteward/testing/random";
import type { TracedEvent } from "./read-trace.ts";

type Change = Extract<TracedEvent, { kind: "write" | "truncate" }>;

/** A file as it can be after a power cut. */
type ImageMode = (typeof imageModes)[number];

/** How much of the writes that were not synced has reached the disk: nothing, all, the first ones, some, or a torn last one. */
export const imageModes = ["none", "all", "prefix", "subset", "torn"] as const;

/** Files that contain everything that was synced, and any part of what was written since. */
export interface Disk {
  apply(event: TracedEvent): void;
  /** The content of a file after a power cut; undefined if the file does not exist. */
  image(path: string, mode: ImageMode, random: Random): Buffer | undefined;
}

interface File {
  synced: Buffer;
  pending: Change[];
}

/** The unit that a disk writes completely or not at all. */
const sectorBytes = 512;

/** Opens a disk with the original content of the files. A disk can lie, and ignore all syncs. */
export function createDisk(contents: ReadonlyMap<string, Buffer>, { ignoresSync = false } = {}): Disk {
  const files = new Map<string, File>(
    [...contents].map(([path, synced]) => [path, { synced: Buffer.from(synced), pending: [] }]),
  );
  return {
    apply(event) {
      if (event.kind === "answer") return;
      const file = files.get(event.path) ?? { synced: Buffer.alloc(0), pending: [] };
      if (event.kind === "unlink") files.delete(event.path);
      else if (event.kind !== "sync") files.set(event.path, { ...file, pending: [...file.pending, event] });
      else if (!ignoresSync && files.has(event.path)) {
        files.set(event.path, { synced: file.pending.reduce(change, file.synced), pending: [] });
      }
    },
    image(path, mode, random) {
      const file = files.get(path);
      return file && choose(file.pending, mode, random).reduce(change, Buffer.from(file.synced));
    },
  };
}

function choose(pending: readonly Change[], mode: ImageMode, random: Random): readonly Change[] {
  if (mode === "none") return [];
  if (mode === "all") return pending;
  if (mode === "subset") return pending.filter(() => random.chance(0.5));
  const count = random.integer(0, pending.length);
  const torn = mode === "torn" ? pending[count] : undefined;
  return [...pending.slice(0, count), ...(torn === undefined ? [] : tear(torn, random))];
}

/** Returns some of the sectors of a write. */
function tear(torn: Change, random: Random): Change[] {
  if (torn.kind === "truncate") return [];
  const starts = Array.from({ length: Math.ceil(torn.data.length / sectorBytes) }, (_, index) => index * sectorBytes);
  return starts
    .filter(() => random.chance(0.5))
    .map((start) => ({
      ...torn,
      offset: torn.offset + start,
      data: torn.data.subarray(start, start + sectorBytes),
    }));
}

/** Changes a buffer, in place if it is long enough. */
function change(content: Buffer, event: Change): Buffer {
  if (event.kind === "truncate") {
    return event.size <= content.length ? content.subarray(0, event.size) : grow(content, event.size);
  }
  const end = event.offset + event.data.length;
  const target = end <= content.length ? content : grow(content, end);
  event.data.copy(target, event.offset);
  return target;
}

function grow(content: Buffer, size: number): Buffer {
  return Buffer.concat([content, Buffer.alloc(size - content.length)]);
}
