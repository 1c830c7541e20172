import { Privacy } from "@siteward/contract/plain";
import type { UpdateWebsite } from "@siteward/contract/types";
import { type Update, valuesOf } from "./change.ts";
import type { Outcome } from "./outcome.ts";

/** What takes changes back, and what nothing takes back. */
export interface Undo {
  /** To be passed to another run. It leaves alone what others have changed since. */
  readonly changes: readonly Update[];
  /** The domains of websites whose password is deleted. They become Private, so that nobody sees more than before. */
  readonly withoutPassword: readonly string[];
  /** The domains of websites that were created or deleted, or whose password was replaced: that stays. */
  readonly impossible: readonly string[];
}

/**
 * Returns what takes back the changes that were made, and no others.
 *
 * @example
 * const { outcomes } = await runChanges(siteward, [{ action: "create", domain, set: {} }]);
 * const undone = await runChanges(siteward, undoOf(outcomes).changes);
 */
export function undoOf(outcomes: readonly Outcome[]): Undo {
  const undo = { changes: [] as Update[], withoutPassword: [] as string[], impossible: [] as string[] };
  for (const outcome of outcomes.filter(({ state }) => state === "changed")) {
    const { change, before, fields, now: only } = outcome;
    const { domain } = change;
    if (isPasswordDeleted(outcome)) undo.withoutPassword.push(domain);
    else if (before === undefined || (before.has_password && fields?.password)) undo.impossible.push(domain);
    const set = settingsBefore(outcome);
    if (change.action !== "update" || Object.keys(set).length === 0) continue;
    undo.changes.push({ action: "update", id: change.id, domain, edit: { set }, only });
  }
  return undo;
}

function isPasswordDeleted({ before, fields }: Outcome): boolean {
  return before?.has_password === true && (fields?.privacy ?? Privacy.Password) !== Privacy.Password;
}

/** Returns what a website had where the change has set something else. */
function settingsBefore(outcome: Outcome): UpdateWebsite {
  const { before = {}, fields = {} } = outcome;
  const set: UpdateWebsite = valuesOf(fields, before);
  if (isPasswordDeleted(outcome)) set.privacy = Privacy.Private;
  if (set.privacy === fields.privacy) delete set.privacy;
  return set;
}
