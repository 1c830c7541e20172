import { promptForConfirmation, promptForText } from "../client/prompts.ts";
import { CliError } from "../process/cli-error.ts";
import type { Io } from "../process/io.ts";
import { countChanges, type Plan } from "./plan.ts";

/** What a person has agreed to before the plan was computed. */
export interface Consent {
  /** Whether to skip the prompts. */
  readonly isGiven: boolean;
  /** How many websites to delete; undefined if no number was given. */
  readonly deletes: number | undefined;
}

/**
 * Checks the number of deletes of a plan before anything is changed.
 *
 * @throws CliError `confirmation_required` if another number was given, or none and there is no prompt for it
 */
export function checkConsent(plan: Plan, { isGiven, deletes }: Consent): void {
  const { delete: count } = countChanges(plan);
  const found = count === 1 ? "The plan deletes 1 website" : `The plan deletes ${count} websites`;
  if (deletes !== undefined && deletes !== count) {
    throw new CliError("confirmation_required", `${found}, not ${deletes}. Nothing was changed.`);
  }
  if (isGiven && deletes === undefined && count > 0) {
    const next = `To delete ${count === 1 ? "it" : "them"}, add --confirm-delete ${count}.`;
    throw new CliError("confirmation_required", `${found}. Nothing was changed.`, next);
  }
}

/**
 * Prompts for what was not agreed to yet. Deletes are confirmed by their number.
 *
 * @returns whether to apply the plan
 * @throws CliError `interrupted` if the person cancels
 */
export async function promptForConsent(io: Io, plan: Plan, { isGiven, deletes }: Consent): Promise<boolean> {
  if (isGiven) return true;
  const { delete: count } = countChanges(plan);
  if (count === 0 || deletes !== undefined) return await promptForConfirmation(io, "Apply these changes?");
  const websites = count === 1 ? "1 website" : `${count} websites`;
  const message = `This deletes ${websites}, which cannot be undone. Type ${count} to apply the plan.`;
  await promptForText(io, message, (text) =>
    text.trim() === String(count) ? undefined : `Type ${count}, or press Ctrl-C to cancel.`,
  );
  return true;
}
