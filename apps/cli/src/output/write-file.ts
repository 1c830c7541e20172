import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { lstat, open, realpath, rename, rm } from "node:fs/promises";
import { CliError } from "../process/cli-error.ts";
import { systemReason } from "../process/system-reason.ts";
import { WriteError } from "../process/write-error.ts";

/** A stream of this process. A shell passes `>(gzip > a.gz)` as one. */
const ownStream = /^(\/dev|\/proc\/self)\/(fd\/\d+|stdout|stderr)$/;

/**
 * Returns what is at a path to write to. A link is not followed: who can create it would choose the file.
 *
 * @throws CliError `usage` if it is a link
 */
export async function findEarlier(path: string): Promise<Stats | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink() !== true || ownStream.test(path)) return found;
  throw new CliError("usage", `${path} is a link, which is not followed.`, "Name the file that it leads to.");
}

/**
 * Writes a file that the user named. A file is replaced atomically and keeps its permissions. A pipe or a device is
 * written to and never replaced.
 *
 * @param earlier what may be replaced
 * @throws CliError `usage` if there can be no such file, `changed_meanwhile` if something else is there now
 * @throws WriteError if its disk is full or fails, or if the reader of the pipe went away
 */
export async function writeOutputFile(
  path: string,
  content: AsyncIterable<string>,
  earlier: Stats | undefined,
): Promise<void> {
  try {
    if (earlier !== undefined && !earlier.isFile()) return await writeStream(path, content);
    const requireSame = async () => {
      const now = await findEarlier(path);
      const isSame = (["dev", "ino", "size", "mtimeMs"] as const).every((name) => now?.[name] === earlier?.[name]);
      if (!isSame) throw changedMeanwhile(path);
    };
    await replaceFile(path, content, { mode: earlier && earlier.mode & 0o777, requireSame });
  } catch (error) {
    if (!isFileError(error)) throw error;
    if (outputCodes.has(error.code)) throw new WriteError(error);
    throw new CliError("usage", `Cannot write ${path}: ${systemReason(error)}.`);
  }
}

/** Writes to a pipe or a device. What came in its place is not followed, created or emptied. */
async function writeStream(path: string, content: AsyncIterable<string>): Promise<void> {
  const { O_WRONLY, O_APPEND, O_NOFOLLOW } = constants;
  const isOwn = ownStream.test(path);
  await using file = await open(path, O_WRONLY | O_APPEND | (isOwn ? 0 : O_NOFOLLOW));
  if (!isOwn && (await file.stat()).isFile()) throw changedMeanwhile(path);
  await file.writeFile(content);
}

function changedMeanwhile(path: string): CliError {
  return new CliError("changed_meanwhile", `${path} changed during the export.`);
}

/** The errors that say nothing about the path. Other arguments would not help. */
const outputCodes: ReadonlySet<string | undefined> = new Set(["ENOSPC", "EDQUOT", "EIO", "EPIPE"]);

/** The content can fail too: a request for the next page. Its error says more. */
function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

/** How a file is replaced. */
interface Replacement {
  /** The permissions. Default: those of any new file. */
  readonly mode?: number | undefined;
  /** Called before the file is replaced. */
  readonly requireSame?: () => Promise<void>;
}

/**
 * Writes a file atomically, and syncs it to disk: whoever reads it sees the earlier content or the new one, complete.
 * Replaces a link.
 *
 * @throws NodeJS.ErrnoException
 */
export async function replaceFile(
  path: string,
  content: string | AsyncIterable<string>,
  { mode, requireSame }: Replacement,
): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await writeSynced(draft, content, mode);
    await requireSame?.();
    await rename(draft, path);
  } catch (error) {
    // The first error says what is wrong. Its cause can also keep the draft from being removed.
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Returns what a link leads to, or the path itself. */
export async function followLink(path: string): Promise<string> {
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
