import { randomUUID } from "node:crypto";
import { open, realpath, rename, rm } from "node:fs/promises";
import { CliError } from "../errors/cli-error.ts";

/**
 * Writes a file atomically: whoever reads it sees the earlier content or the new one, complete. A symbolic link stays, and its
 * target is replaced.
 *
 * @throws CliError `usage` if the file cannot be written
 */
export async function replaceFile(path: string, content: AsyncIterable<string>): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const draft = `${target}.${randomUUID()}.tmp`;
  try {
    await writeSynced(draft, content);
    await rename(draft, target);
  } catch (error) {
    // The first error says what is wrong. Its cause can also keep the draft from being removed.
    await rm(draft, { force: true }).catch(() => undefined);
    throw isFileError(error) ? new CliError("usage", `Cannot write ${path}: ${error.message}.`) : error;
  }
}

async function writeSynced(path: string, content: AsyncIterable<string>): Promise<void> {
  await using file = await open(path, "wx");
  await file.writeFile(content);
  await file.sync();
}

/** The content can fail too: a request for the next page. Its error says more than that the file was not written. */
function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
