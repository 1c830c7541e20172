import { stat, writeFile } from "node:fs/promises";
import { CliError } from "../process/cli-error.ts";
import { systemReason } from "../process/system-reason.ts";
import { WriteError } from "../process/write-error.ts";
import { replaceFile } from "./replace-file.ts";

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
