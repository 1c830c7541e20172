import type { Siteward } from "@siteward/sdk";
import { runTasks } from "../tasks/run-tasks.ts";
import { waitForRateLimit } from "../websites/wait-for-rate-limit.ts";
import { applyChange, type Done } from "./apply-change.ts";
import type { Change, Plan } from "./plan.ts";

/** What became of a change. */
export type ChangeResult =
  | { readonly change: Change; readonly done: Done }
  | { readonly change: Change; readonly error: unknown }
  /** It was not tried, because another failed or the run was interrupted. */
  | { readonly change: Change };

/** How a plan is applied. */
export interface ApplyOptions {
  /** How many changes run at the same time. */
  readonly parallel: number;
  /** No change starts after this is aborted. */
  readonly signal: AbortSignal;
  /** The passwords to send, by domain. */
  readonly passwords: ReadonlyMap<string, string>;
  /** Called with each change that was done. */
  readonly onDone: (change: Change) => void;
}

/**
 * Does the changes of a plan, several at the same time. After the first that fails, no other starts, and those that have started
 * finish. Deletes start only when everything else is done.
 *
 * @returns what became of each change, in the order of the plan
 */
export async function applyPlan(
  siteward: Siteward,
  plan: Plan,
  options: ApplyOptions,
): Promise<readonly ChangeResult[]> {
  const results = new Map<Change, ChangeResult>();
  const isDelete = ({ action }: Change): boolean => action === "delete";
  for (const changes of [plan.changes.filter((change) => !isDelete(change)), plan.changes.filter(isDelete)]) {
    await runTasks(
      changes,
      options,
      (change) => tryChange(siteward, change, options),
      (change, result) => {
        results.set(change, result);
        if ("error" in result) return "stop";
        options.onDone(change);
        return undefined;
      },
    );
    if ([...results.values()].some((result) => "error" in result)) break;
  }
  return plan.changes.map((change) => results.get(change) ?? { change });
}

async function tryChange(
  siteward: Siteward,
  change: Change,
  { passwords, signal }: ApplyOptions,
): Promise<ChangeResult> {
  try {
    const password = passwords.get(change.domain);
    return { change, done: await waitForRateLimit(() => applyChange(siteward, change, password), signal) };
  } catch (error) {
    return { change, error };
  }
}
