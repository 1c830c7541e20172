import type { FileHandle } from "node:fs/promises";
import type { SyncedPlace } from "../follow/followed-state.ts";
import { MirrorError } from "../mirror-error.ts";
import { websitesOnLine, writeHead, writeTail } from "./file-format.ts";
import type { FileSystem } from "./file-system.ts";
import type { Owner } from "./identify-client.ts";
import { writeLines } from "./write-lines.ts";

/** Writing takes seconds. A partial file that nobody wrote to for so long was left by a process that was killed. */
const abandonedMs = 60_000;

/** What is written, and where. */
export interface Writing {
  readonly path: string;
  readonly owner: Owner;
  readonly place: SyncedPlace;
  readonly nowMs: () => number;
}

/**
 * Replaces a file by the state, so that a crash at any time leaves the old one or the new one. The partial file next to it has
 * one name: of several processes with the same file, one writes at a time, and a process that was killed leaves at most one.
 *
 * Changes that are applied while the websites are written may be in the file or not. Its cursor is in front of them, so whoever
 * starts from the file is told of them.
 *
 * @throws MirrorError if the file cannot be written. The old one is left as it was.
 */
export async function writeFile(writing: Writing, system: FileSystem): Promise<void> {
  const { path } = writing;
  const folder = system.path.dirname(path);
  const partial = system.path.join(folder, `.${system.path.basename(path)}.partial`);
  let isOurs = false;
  try {
    await refuseDevice(path, system);
    await removeAbandoned(partial, writing.nowMs(), system);
    const file = await system.files.open(partial, "wx", 0o600);
    isOurs = true;
    try {
      await writePlace(file, writing, system);
      await file.sync();
    } finally {
      await file.close();
    }
    await system.files.rename(partial, path);
    isOurs = false;
    await syncFolder(folder, system);
  } catch (error) {
    if (isOurs) await system.files.rm(partial, { force: true }).catch(() => {});
    throw new MirrorError("file_not_written", `The file ${path} cannot be written: ${String(error)}`, error);
  }
}

/** The rename would replace a device such as `/dev/null` for every program of the machine. */
async function refuseDevice(path: string, { files }: FileSystem): Promise<void> {
  const found = await files.stat(path).catch(() => undefined);
  if (found?.isFile() === false) throw new Error("It is not a regular file.");
}

async function removeAbandoned(partial: string, nowMs: number, { files }: FileSystem): Promise<void> {
  const found = await files.stat(partial).catch(() => undefined);
  if (found !== undefined && Math.abs(nowMs - found.mtimeMs) > abandonedMs) await files.rm(partial, { force: true });
}

async function writePlace(file: FileHandle, { owner, place }: Writing, system: FileSystem): Promise<void> {
  const hash = system.createHash("sha256");
  let websites = 0;
  function* lines(): Generator<string, void, undefined> {
    for (const part of inParts(place.state.values(), websitesOnLine)) {
      websites += part.length;
      yield JSON.stringify(part);
    }
  }
  // Before any website is read, because the cursor moves while they are written.
  const head = writeHead({ owner, cursor: place.cursor, syncMs: place.syncMs });
  await writeLines(file, [head], (bytes) => hash.update(bytes));
  await writeLines(file, lines(), (bytes) => hash.update(bytes));
  await writeLines(file, [writeTail({ websites, sha256: hash.digest("hex") })], () => {});
}

function* inParts<Item>(items: Iterable<Item>, length: number): Generator<readonly Item[], void, undefined> {
  let part: Item[] = [];
  for (const item of items) {
    if (part.push(item) < length) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

/** After this, the name of the file survives a crash. Windows cannot do it. */
async function syncFolder(folder: string, { files }: FileSystem): Promise<void> {
  const handle = await files.open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
