import { runTasks } from "../tasks/run-tasks.ts";
import type { Result, Verdict } from "./result.ts";

/** What became of several websites, and what ended the run early. */
export interface Run {
  readonly results: readonly Result[];
  /** After this, no other website was tried. */
  readonly stop?: Stop | undefined;
  readonly isInterrupted: boolean;
}

/** An error that ended a run. If several websites met one, the first in the order of the run. */
export interface Stop {
  readonly error: unknown;
  /** The website that met it, as in its result. */
  readonly domain: string | undefined;
}

/** What became of one website, and the error that ends the run, if it does. */
export interface Attempt {
  readonly verdict: Verdict;
  readonly stop?: { readonly error: unknown };
}

/** What is done with each of several items. */
interface Work<Item> {
  /** A part starts when everything before it is done. */
  readonly parts: readonly (readonly Item[])[];
  /** Returns undefined if nothing was done, because an interruption came before the request was sent. */
  readonly attempt: (item: Item) => Promise<Attempt | undefined>;
  /** Returns the result of an item that was not tried. */
  readonly untried: (item: Item) => Result;
}

/** How several items are worked on. */
export interface RunOptions {
  /** After this is aborted, nothing is sent: no item starts, and what waits for the rate limit ends. */
  readonly signal: AbortSignal;
  /** How many are worked on at the same time. */
  readonly parallel: number;
  /** Called after each item that was tried. */
  readonly onResult: () => void;
}

/**
 * Tries each item. After an error that ends the run, no other starts, and those that have started finish.
 *
 * @returns what became of each item, in order
 */
export async function runAll<Item>(
  { parts, attempt, untried }: Work<Item>,
  { onResult, ...options }: RunOptions,
): Promise<Run> {
  const attempts = new Map<Item, Attempt>();
  let isStopped = false;
  const accept = (item: Item, result: Attempt | undefined): "stop" | undefined => {
    if (result === undefined) return "stop";
    attempts.set(item, result);
    onResult();
    if (result.stop !== undefined) isStopped = true;
    return isStopped ? "stop" : undefined;
  };
  for (const part of parts) if (!isStopped) await runTasks(part, options, attempt, accept);
  const ends = parts.flat().map((item) => ({ ...attempts.get(item), result: untried(item) }));
  return {
    results: ends.map(({ result, verdict }) =>
      verdict === undefined ? result : { ...result, id: undefined, ...verdict },
    ),
    stop: ends.flatMap(({ stop, result: { domain } }) => (stop === undefined ? [] : [{ ...stop, domain }]))[0],
    isInterrupted: options.signal.aborted,
  };
}
