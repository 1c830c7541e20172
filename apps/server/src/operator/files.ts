import { open, rm } from "node:fs/promises";
import { CommandError } from "./command.ts";

/**
 * Writes a secret to a new file that only its owner can read, as one line. `store` makes the secret valid, once it is on the disk:
 * if the disk is full, nothing is stored. If writing or storing fails, the file is removed.
 *
 * @throws CommandError if the file exists, or cannot be written
 */
export async function writePrivateFile(path: string, line: string, store: () => Promise<void>): Promise<void> {
  const fail = ({ code, message }: Error & { readonly code?: string }) => {
    if (code !== "EEXIST") throw new CommandError(`The file ${path} could not be written: ${message}.`);
    const what = `The file ${path} exists, and is never overwritten. Name a file that does not exist.`;
    throw new CommandError(`${what} If a start that was killed left it, its key does not work: delete it.`);
  };
  const file = await open(path, "wx", 0o600).catch(fail);
  try {
    const write = async () => {
      await file.writeFile(`${line}\n`);
      await file.sync();
    };
    await write().catch(fail);
    await store();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
