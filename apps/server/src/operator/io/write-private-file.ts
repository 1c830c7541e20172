import { type FileHandle, open, rm } from "node:fs/promises";
import { CommandError } from "./command-error.ts";

/** A secret that is kept nowhere else. */
interface Secret {
  readonly line: string;
  /** What exists now, and what to do, if the line cannot be written. */
  readonly ifUnwritten: string;
}

interface SecretSource {
  /** The length of the line in bytes, without its end. */
  readonly length: number;
  readonly create: () => Promise<Secret>;
}

/**
 * Writes a secret to a new file that only its owner can read, as one line. The bytes of the line are on the disk before the secret is
 * created, so that a full disk is found first. If creating or writing the secret fails, the file is removed.
 *
 * @returns the line, which is then on the disk
 * @throws CommandError if the file exists, or cannot be written
 */
export async function writePrivateFile(path: string, { length, create }: SecretSource): Promise<string> {
  const file = await open(path, "wx", 0o600).catch((error: unknown) => {
    throw new CommandError(isExisting(error) ? existing(path) : failed(path, error), { cause: error });
  });
  try {
    await writeLine(file, " ".repeat(length)).catch((error: unknown) => {
      throw new CommandError(failed(path, error), { cause: error });
    });
    const { line, ifUnwritten } = await create();
    await writeLine(file, line).catch((error: unknown) => {
      throw new CommandError(`${failed(path, error)} ${ifUnwritten}`, { cause: error });
    });
    return line;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

async function writeLine(file: FileHandle, line: string): Promise<void> {
  const bytes = Buffer.from(`${line}\n`);
  const { bytesWritten } = await file.write(bytes, 0, bytes.length, 0);
  if (bytesWritten < bytes.length) throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
  await file.sync();
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}

function existing(path: string): string {
  return (
    `The file ${path} exists, and is never overwritten. Name a file that does not exist. ` +
    "A start that was killed may have left a blank file: delete it."
  );
}

function failed(path: string, error: unknown): string {
  return `The file ${path} could not be written: ${error instanceof Error ? error.message : String(error)}.`;
}
