import { createInterface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";

/** Asks a question on a terminal. Ctrl-C and the end of the input cancel it, which returns undefined. */
export async function askOnTerminal(question: string, input: Readable, output: Writable): Promise<string | undefined> {
  const terminal = createInterface({ input, output, terminal: true });
  const cancelled = new Promise<undefined>((resolve) => terminal.once("close", () => resolve(undefined)));
  try {
    return await Promise.race([terminal.question(question), cancelled]);
  } finally {
    terminal.close();
  }
}
