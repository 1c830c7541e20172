import type { Io } from "../process/io.ts";
import { carryOut } from "./carry-out.ts";
import { describeFailure } from "./describe-failure.ts";
import type { Verdict } from "./result.ts";
import { type Attempt, type Run, runAll } from "./run-all.ts";

/** A website of a command line, by the name that the user gave it. */
export interface NamedItem {
  readonly name: string;
}

/** What is done with several websites of a command line. */
interface SeveralWork<Item> {
  /** What is done, such as "Deleting". */
  readonly label: string;
  readonly items: readonly Item[];
  /** Changes one website, unless its call is still waiting when the signal aborts. What it throws ends the run. */
  readonly change: (item: Item, signal: AbortSignal) => Promise<Verdict>;
}

/**
 * Changes several websites that the user named, one at a time: their order is that of the command line, and so is that
 * of new IDs.
 *
 * @returns what became of each, by its name
 */
export async function runSeveral<Item extends NamedItem>(
  io: Io,
  { label, items, change }: SeveralWork<Item>,
): Promise<Run> {
  return await carryOut(io, { label, total: items.length }, (live) => {
    const attempt = async (item: Item): Promise<Attempt | undefined> => {
      try {
        return { verdict: await change(item, live.signal) };
      } catch (error) {
        return describeFailure(error, undefined, { afterRefusal: "stop" });
      }
    };
    const untried = ({ name }: Item) => ({ domain: name, outcome: "not_tried" }) as const;
    return runAll({ parts: [items], attempt, untried }, { ...live, parallel: 1 });
  });
}
