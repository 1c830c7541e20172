import type { FileHandle } from "node:fs/promises";
import type { SyncedPlace } from "../follow/followed-state.ts";
import { MirrorError } from "../mirror-error.ts";
import { WebsiteState } from "../state/website-state.ts";
import { type FileHead, readHead, readTail, readWebsites } from "./file-format.ts";
import type { FileSystem } from "./file-system.ts";
import type { Owner } from "./identify-client.ts";
import { readLines } from "./read-lines.ts";

/**
 * Reads the state in a file.
 *
 * @returns undefined if the file does not exist
 * @throws MirrorError if it cannot be read, is not whole, or was written by a newer version or for other websites
 */
export async function readFile(path: string, owner: Owner, system: FileSystem): Promise<SyncedPlace | undefined> {
  const file = await open(path, system);
  if (file === undefined) return undefined;
  try {
    return await readPlace(file, { path, owner, system });
  } catch (error) {
    throw error instanceof MirrorError ? error : notRead(path, error);
  } finally {
    await file.close();
  }
}

async function open(path: string, { files }: FileSystem): Promise<FileHandle | undefined> {
  try {
    // Opening a pipe would wait until somebody writes to it.
    if (!(await files.stat(path)).isFile()) throw new Error("It is not a regular file.");
    return await files.open(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw notRead(path, error);
  }
}

interface Reading {
  readonly path: string;
  readonly owner: Owner;
  readonly system: FileSystem;
}

async function readPlace(file: FileHandle, { path, owner, system }: Reading): Promise<SyncedPlace> {
  const decoder = new TextDecoder();
  const state = new WebsiteState();
  const hash = system.createHash("sha256");
  let head: FileHead | undefined;
  for await (const bytes of readLines(file)) {
    const line = decoder.decode(bytes);
    if (head === undefined) {
      head = requireHead(line, { path, owner, system });
    } else {
      const websites = readWebsites(line);
      if (websites === undefined) {
        const tail = readTail(line);
        if (tail?.websites !== state.size || tail.sha256 !== hash.digest("hex")) break;
        return { state, cursor: head.cursor, syncMs: head.syncMs };
      }
      for (const website of websites) state.put(website);
    }
    hash.update(bytes);
  }
  throw broken(path);
}

function requireHead(line: string, { path, owner }: Reading): FileHead {
  const head = readHead(line);
  if (head === "broken") throw broken(path);
  if (head === "newer") {
    const message = `The file ${path} was written by a newer version of @siteward/sdk, and is not used.`;
    throw new MirrorError("file_newer", message);
  }
  if (head.owner.baseUrl === owner.baseUrl && head.owner.apiKey === owner.apiKey) return head;
  const difference = head.owner.baseUrl === owner.baseUrl ? "with another API key" : `from ${head.owner.baseUrl}`;
  throw new MirrorError("file_foreign", `The websites in the file ${path} were read ${difference}, and are not used.`);
}

function broken(path: string): MirrorError {
  return new MirrorError("file_broken", `The file ${path} is not a whole file of a mirror, and is not used.`);
}

function notRead(path: string, error: unknown): MirrorError {
  return new MirrorError("file_not_read", `The file ${path} cannot be read: ${String(error)}`, error);
}
