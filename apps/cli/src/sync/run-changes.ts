import type { Siteward } from "@siteward/sdk";
import { runTasks } from "../tasks/run-tasks.ts";
import { type Decision, idOf } from "./change.ts";
import type { Result } from "./result.ts";
import { type Attempt, type AttemptOptions, tryChange } from "./try-change.ts";

/** What became of the websites of a file, and what ended the run early. */
export interface Run {
  readonly results: readonly Result[];
  /** After this, no other change was tried. */
  readonly stop?: Stop | undefined;
  readonly isInterrupted: boolean;
}

/** An error that ended a run. If several changes met one, the first in the order of the run. */
export interface Stop {
  readonly error: unknown;
  readonly domain: string;
}

/** How changes are run. No change starts after `signal` is aborted. */
export interface RunOptions extends AttemptOptions {
  /** How many changes run at the same time. */
  readonly parallel: number;
  /** Called after each change that was tried. */
  readonly onResult: () => void;
}

/**
 * Does what was decided, several changes at the same time. After an error that ends the run, no other starts, and those
 * that have started finish. Deletes start only when everything else is done: a failure half-way leaves websites too
 * many rather than too few.
 *
 * @returns what became of each website, in the order of the decisions
 */
export async function runChanges(
  siteward: Siteward,
  decisions: readonly Decision[],
  options: RunOptions,
): Promise<Run> {
  const attempts = new Map<Decision, Attempt>();
  let isStopped = false;
  const accept = (decision: Decision, attempt: Attempt): "stop" | undefined => {
    attempts.set(decision, attempt);
    options.onResult();
    if (attempt.stop !== undefined) isStopped = true;
    return isStopped ? "stop" : undefined;
  };
  const isDelete = ({ action }: Decision): boolean => action === "delete";
  for (const part of [decisions.filter((decision) => !isDelete(decision)), decisions.filter(isDelete)]) {
    if (!isStopped) await runTasks(part, options, (decision) => tryChange(siteward, decision, options), accept);
  }
  return {
    results: decisions.map((decision) => resultOf(decision, attempts.get(decision), options)),
    stop: decisions.flatMap((decision) => stopAt(decision, attempts.get(decision)))[0],
    isInterrupted: options.signal.aborted,
  };
}

function resultOf(decision: Decision, attempt: Attempt | undefined, { policy }: RunOptions): Result {
  const { place, domain } = decision;
  if (attempt !== undefined) return { place, domain, ...attempt.verdict };
  // An apply names the IDs that its plan has shown. An import has shown none.
  return { place, domain, id: policy.isExact ? idOf(decision) : undefined, outcome: "not_tried" };
}

function stopAt({ domain }: Decision, attempt: Attempt | undefined): readonly Stop[] {
  return attempt?.stop === undefined ? [] : [{ ...attempt.stop, domain }];
}
