import { CliError } from "../errors/cli-error.ts";
import { StoppedError } from "../errors/stopped-error.ts";
import type { Interruption } from "../process/interruption.ts";

/** What is done with each of several items. */
interface Step<Item, Result> {
  /** Returns an item as the user named it, for the report of a failure. */
  readonly name: (item: Item) => string;
  readonly run: (item: Item) => Promise<Result>;
}

/** What was done, and why it ended early. */
interface RunResult<Result> {
  readonly results: readonly Result[];
  /** Undefined if every item was done. */
  readonly stop: unknown;
}

/**
 * Runs a step for each item in order, until one fails or the user interrupts. The caller prints the results, which
 * cannot be undone, and then throws `stop`, a StoppedError.
 *
 * @throws what the step throws, if there is only one item
 */
export async function runInOrder<Item, Result>(
  interruption: Interruption,
  items: readonly Item[],
  { name, run }: Step<Item, Result>,
): Promise<RunResult<Result>> {
  const [only, ...others] = items;
  if (only !== undefined && others.length === 0) return { results: [await run(only)], stop: undefined };
  const results: Result[] = [];
  using takeover = interruption.takeOver();
  for (const [index, item] of items.entries()) {
    const namesFrom = (first: number): string[] => items.slice(first).map(name);
    if (takeover.signal.aborted) {
      const interrupted = new CliError("interrupted", "Interrupted.");
      return { results, stop: new StoppedError(interrupted, undefined, namesFrom(index)) };
    }
    try {
      results.push(await run(item));
    } catch (error) {
      return { results, stop: new StoppedError(error, name(item), namesFrom(index + 1)) };
    }
  }
  return { results, stop: undefined };
}
