import type { Siteward } from "@siteward/sdk";
import { type Decision, idOf } from "./change.ts";
import { type Run, type RunOptions, runAll } from "./run-all.ts";
import { type AttemptOptions, tryChange } from "./try-change.ts";

/**
 * Does what was decided, several changes at the same time. Deletes start only when everything else is done: a failure
 * half-way leaves websites too many rather than too few.
 *
 * @returns what became of each website, in the order of the decisions, with deletes last
 */
export async function runChanges(
  siteward: Siteward,
  decisions: readonly Decision[],
  options: AttemptOptions & RunOptions,
): Promise<Run> {
  const isDelete = ({ action }: Decision): boolean => action === "delete";
  return await runAll(
    {
      parts: [decisions.filter((decision) => !isDelete(decision)), decisions.filter(isDelete)],
      attempt: (decision) => tryChange(siteward, decision, options),
      untried: (decision) => {
        const { place, domain } = decision;
        // An apply names the IDs that its plan has shown. An import has shown none.
        return { place, domain, id: options.policy.isExact ? idOf(decision) : undefined, outcome: "not_tried" };
      },
    },
    options,
  );
}
