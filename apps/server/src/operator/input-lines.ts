import { setImmediate } from "node:timers/promises";
import { type CommandContext, CommandError, UsageError } from "./command.ts";

/** So few that a server's changes do not wait for long: each batch is a transaction. */
const batchSize = 100;

/** The lines of standard input that are not blank, and what each says. */
export type InputLines<Entry> = readonly Readonly<{ line: number; entry: Entry }>[];

/**
 * Reads standard input to its end.
 *
 * @param what what each line is, such as "an API key"
 * @throws UsageError that names each line of which `read` throws one
 */
export async function readLines<Entry>(
  context: CommandContext,
  what: string,
  read: (text: string) => Entry | Promise<Entry>,
): Promise<InputLines<Entry>> {
  if (context.ask !== undefined) context.note(`Enter ${what} on each line, and then press Ctrl-D.`);
  const [lines, faults]: [{ line: number; entry: Entry }[], string[]] = [[], []];
  for (const [index, text] of (await context.readInput()).split("\n").entries()) {
    try {
      if (text.trim() !== "") lines.push({ line: index + 1, entry: await read(text.trim()) });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      // What is a flag elsewhere is a field here.
      faults.push(`Line ${index + 1}: ${error.message.replace(/^--/, "")}`);
    }
  }
  if (faults.length > 0) throw new UsageError(`${faults.join("\n")}\nNothing was created.`);
  if (lines.length > 0) return lines;
  throw new UsageError(`Standard input is empty. Send ${what} on each line.`);
}

/** Creates what lines say, and prints each result once it is stored. A signal ends it after a batch: no key is lost. */
export async function createInBatches<Entry, Created>(
  context: CommandContext,
  lines: InputLines<Entry>,
  create: (entries: readonly Entry[]) => Promise<readonly Created[]>,
  print: (created: Created) => void,
): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) context.onSignal(signal, () => stop.abort());
  for (let start = 0; start < lines.length; start += batchSize) {
    const batch = lines.slice(start, start + batchSize);
    try {
      // SQLite lets no signal in meanwhile.
      await setImmediate();
      if (stop.signal.aborted) throw new CommandError("Stopped by a signal.");
      for (const created of await create(batch.map(({ entry }) => entry))) print(created);
    } catch (error) {
      if (start > 0) context.note(`The lines before line ${batch[0]?.line} are done, and printed.`);
      throw error;
    }
  }
}
