import { isApiError } from "@siteward/sdk";
import type { Outcome } from "@siteward/sdk/bulk";
import { CliError } from "../process/cli-error.ts";
import { conflictOf } from "./decide.ts";
import type { Policy } from "./policy.ts";
import type { Result } from "./result.ts";

const done = { create: "created", update: "updated", delete: "deleted" } as const;

/** Returns what became of a website in the words of the CLI. */
export function resultOf(outcome: Outcome, policy: Policy): Omit<Result, "place" | "domain"> {
  const { change, state } = outcome;
  const id = "id" in change ? change.id : outcome.id;
  if (state === "changed") return { outcome: done[change.action], id };
  if (state === "already") return { outcome: "unchanged", id, reason: reasonOfAlready(outcome) };
  if (state === "not_tried") return { outcome: state, id };
  const cause = causeOf(outcome, policy) ?? "nothing tells whether it was changed";
  return { outcome: state, reason: reasonOfError(cause), ...takenBy(outcome, policy), id };
}

/** Whether a website that is refused ends the run. */
export function isEnd(refused: Outcome, policy: Policy): boolean {
  return policy.afterRefusal === "stop" && takenBy(refused, policy) === undefined;
}

/** Returns what becomes of a website to create that exists by now, unless a plan has not shown it. */
function takenBy({ error }: Outcome, policy: Policy): ReturnType<typeof conflictOf> {
  return policy.isExact || !isApiError(error, "domain_taken") ? undefined : conflictOf(policy);
}

function reasonOfAlready({ change, now }: Outcome): string | undefined {
  if (change.action === "delete") return "was deleted meanwhile";
  const isSame = change.action === "create" || change.only === undefined || change.only.tag === now?.tag;
  return isSame ? undefined : "was changed to the settings of the file meanwhile";
}

/** Returns why a website was not changed, as the error of the service or of the CLI. */
export function causeOf({ change, error, reason, isAsWanted }: Outcome, { isExact }: Policy): unknown {
  const isTaken = isExact && isApiError(error, "domain_taken");
  if (!isTaken && (reason === undefined || (error !== undefined && !isExact))) return error;
  const [when, again] = isExact
    ? ["after the plan was computed", "Run the command again to see the new plan."]
    : ["meanwhile", "Run the command again."];
  const changed = (event: string, more = ".", next = again) =>
    new CliError("changed_meanwhile", `${change.domain} was ${event} ${when}${more}`, next);
  if (reason === "untagged") return tagMissing;
  if (isTaken) return changed("created");
  if (reason === "gone") return changed("deleted");
  if (reason === "opens") return changed("made less visible", ", and would become public.");
  if (reason === "overwritten") {
    const more = ", and updated nevertheless: the service did not get the condition of the update.";
    return changed("changed", more, `Check what changes the requests, such as a proxy that removes If-Match. ${again}`);
  }
  if (isAsWanted !== true) return changed("changed");
  const more = ". It now has the settings of the file, but perhaps not the password.";
  return changed("changed", more, "To send the passwords of the file again, run the command with --set-passwords.");
}

const tagMissing = new CliError(
  "entity_tag_missing",
  "The list of websites has no entity tags, so a change that somebody else makes could be overwritten.",
  "Check that the service is up to date, and what changes its responses, such as a proxy.",
);

/** Returns why a request failed, on one line: what is wrong with each field, if it is said. */
export function reasonOfError(error: unknown): string {
  if (!isApiError(error)) return error instanceof Error ? error.message : String(error);
  const { errors, detail, title } = error;
  const faults = Object.entries(errors).flatMap(([field, messages]) => messages.map((text) => `${field} ${text}`));
  return faults.length > 0 ? faults.join("; ") : detail || title;
}
