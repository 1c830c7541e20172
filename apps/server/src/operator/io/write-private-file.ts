import { open, rm } from "node:fs/promises";
import { CommandError } from "./command-error.ts";

/**
 * Writes a line to a new file that only its owner can read. The file is created before the line is, so that a secret is not created
 * if it cannot be kept. If creating or writing the line fails, the file is removed.
 *
 * @returns the line
 * @throws CommandError if the file exists, or cannot be written
 */
export async function writePrivateFile(path: string, createLine: () => Promise<string>): Promise<string> {
  const file = await open(path, "wx", 0o600).catch((error: unknown) => {
    throw isExisting(error)
      ? new CommandError(`The file ${path} exists, and is never overwritten. Name a file that does not exist.`)
      : failed(path, error);
  });
  try {
    const line = await createLine();
    await file.writeFile(`${line}\n`).catch((error: unknown) => Promise.reject(failed(path, error)));
    return line;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}

function failed(path: string, error: unknown): CommandError {
  const reason = error instanceof Error ? error.message : String(error);
  return new CommandError(`The file ${path} could not be written: ${reason}.`, { cause: error });
}
