import { randomUUID } from "node:crypto";
import { open, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { CliError } from "./cli-error.ts";
import { systemReason } from "./system-reason.ts";
import { WriteError } from "./write-error.ts";

/**
 * Writes a file that the user named. A file is replaced atomically and keeps its permissions. A pipe or a device, such as
 * `/dev/null`, is written to and never replaced.
 *
 * @throws CliError `usage` if there can be no such file
 * @throws WriteError if its disk is full or fails, or if the reader of the pipe went away
 */
export async function writeOutputFile(path: string, content: AsyncIterable<string>): Promise<void> {
  try {
    const earlier = await stat(path).catch(() => undefined);
    if (earlier !== undefined && !earlier.isFile()) await writeFile(path, content);
    else await replaceFile(path, content, earlier && earlier.mode & 0o777);
  } catch (error) {
    if (!isFileError(error)) throw error;
    if (outputCodes.has(error.code)) throw new WriteError(error);
    throw new CliError("usage", `Cannot write ${path}: ${systemReason(error)}.`);
  }
}

/** The errors that say nothing about the path. Other arguments would not help. */
const outputCodes: ReadonlySet<string | undefined> = new Set(["ENOSPC", "EDQUOT", "EIO", "EPIPE"]);

/** The content can fail too: a request for the next page. Its error says more than that the file was not written. */
function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

/**
 * Writes a file atomically, and syncs it to disk: whoever reads it sees the earlier content or the new one, complete. A symbolic
 * link stays, as dotfile setups use, and its target is replaced.
 *
 * @param mode the permissions of the file; without it, those of any new file
 * @throws NodeJS.ErrnoException
 */
export async function replaceFile(path: string, content: string | AsyncIterable<string>, mode?: number): Promise<void> {
  const target = await followLink(path);
  const draft = `${target}.${randomUUID()}.tmp`;
  try {
    await writeSynced(draft, content, mode);
    await rename(draft, target);
  } catch (error) {
    // The first error says what is wrong. Its cause can also keep the draft from being removed.
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function followLink(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return path;
    throw error;
  }
}

async function writeSynced(path: string, content: string | AsyncIterable<string>, mode?: number): Promise<void> {
  await using file = await open(path, "wx", mode);
  // Under an unusual umask, the file would have less than these permissions.
  if (mode !== undefined) await file.chmod(mode);
  await file.writeFile(content);
  await file.sync();
}
