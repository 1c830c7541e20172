import { open, rm } from "node:fs/promises";
import { CommandError } from "./command.ts";

/**
 * Writes a secret to a new file that only its owner can read, as one line. The bytes of the line are on the disk before
 * the secret is created, so that a full disk is found first. If creating or writing the secret fails, the file is
 * removed.
 *
 * @param length of the line in bytes, without its end
 * @param create creates a secret that is kept nowhere else, and says what exists then, and what to do, if it cannot be written
 * @returns the line, which is then on the disk
 * @throws CommandError if the file exists, or cannot be written
 */
export async function writePrivateFile(
  path: string,
  length: number,
  create: () => Promise<{ readonly line: string; readonly ifUnwritten: string }>,
): Promise<string> {
  const fail = (remedy: string) => (cause: Error) => {
    throw new CommandError(`The file ${path} could not be written: ${cause.message}.${remedy}`);
  };
  const file = await open(path, "wx", 0o600).catch((error: Error & { readonly code?: string }) => {
    if (error.code !== "EEXIST") return fail("")(error);
    const remedy = "A start that was killed may have left a blank file: delete it.";
    const what = `The file ${path} exists, and is never overwritten. Name a file that does not exist.`;
    throw new CommandError(`${what} ${remedy}`);
  });
  const write = async (line: string) => {
    const { bytesWritten } = await file.write(`${line}\n`, 0);
    if (bytesWritten <= length) throw new Error(`only ${bytesWritten} of ${length + 1} bytes were written`);
    await file.sync();
  };
  try {
    await write(" ".repeat(length)).catch(fail(""));
    const { line, ifUnwritten } = await create();
    await write(line).catch(fail(` ${ifUnwritten}`));
    return line;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
