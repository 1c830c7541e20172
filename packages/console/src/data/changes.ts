import { isApiError, type UpdateWebsite } from "@siteward/sdk";
import {
  type Change,
  type Edit,
  type Exposure,
  fieldsOf,
  type Outcome,
  type Run,
  type RunOptions,
  type Undo,
  type Update,
  type Version,
} from "@siteward/sdk/bulk";
import { toUnicodeDomain } from "@siteward/sdk/fields";
import { describeChanges, type Faults, lists } from "../words/settings.ts";
import { many, nameSome, say } from "../words/text.ts";

/** Whether an edit changes nothing, whatever a website is like. */
export function isEmpty({ set, add, remove }: Edit): boolean {
  const parts = [Object.keys({ ...set }), Object.values({ ...add }), Object.values({ ...remove })].flat(2);
  return parts.every((part) => part.trim() === "");
}

/** The fullest lists come last: if the service refuses the first website, it refuses all. */
export function toUpdates(versions: readonly Version[], edit: Edit): Update[] {
  const share = (fields: UpdateWebsite) =>
    Math.max(...lists.map(({ field, limit }) => (fields[field]?.length ?? 0) / limit));
  return versions
    .map(({ website }) => [share(fieldsOf(edit, website)), website] as const)
    .sort(([one], [other]) => one - other)
    .map(([, { id, domain }]) => ({ action: "update", id, domain, edit }));
}

/** How many of these would differ, as they were read last. The run reads them again. */
export function countDiffering(versions: readonly Version[], edit: Edit): number {
  return versions.filter(({ website }) => Object.keys(fieldsOf(edit, website)).length > 0).length;
}

/** Ends a run if what is wrong is wrong with the values that all get, as long as no website accepted them. */
export function stopAtFirstFault(): Pick<RunOptions, "onOutcome" | "stopsAt"> {
  let isNone = true;
  return {
    onOutcome: ({ state }) => {
      isNone &&= state === "refused";
    },
    stopsAt: ({ error }) => isNone && isApiError(error, "validation_failed") && !("domain" in error.errors),
  };
}

/** Returns what is wrong with the values that all get, if nothing was changed because of it. */
export function faultsOf({ outcomes, end, error }: Run): Faults | undefined {
  const isNone = end === "refused" && outcomes.every(({ state }) => state !== "changed");
  return isNone && isApiError(error, "validation_failed") ? error.errors : undefined;
}

/** Such as `1 website becomes public: a.example. 1 password will be deleted, which cannot be undone: a.example.` */
export function describeExposure({ opened, passwords }: Exposure): string {
  const open = `${many(opened.length)} become${opened.length === 1 ? "s" : ""} public: ${nameSome(opened)}.`;
  const lost = `${many(passwords.length, "password")} will be deleted, which cannot be undone: ${nameSome(passwords)}.`;
  return [...(opened.length > 0 ? [open] : []), ...(passwords.length > 0 ? [lost] : [])].join(" ");
}

/** What a person is about. It outlasts a look at one website, and a key that stops working. */
export interface Work {
  /** The selected websites by their IDs, as they were read. They survive other pages and searches. */
  readonly picked: ReadonlyMap<number, Version>;
  /** What the last run has done, such as `changed`. */
  readonly verb: string;
  /** What the last change did, so that it can be taken back. */
  readonly made: readonly Outcome[];
  /** What is left of the last run. */
  readonly rest: readonly Change[];
  /** The websites that did not get a change, and why. */
  readonly complaints: readonly string[];
}

export const noWork: Work = { picked: new Map(), verb: "", made: [], rest: [], complaints: [] };

/**
 * Returns what a person is about after a run. What is done is no longer selected. What was refused is, as it is now.
 *
 * @param isMore whether it was the rest of a run, so that both are taken back together
 */
export function advance(work: Work, verb: string, run: Run, isMore: boolean): Work {
  const picked = new Map(work.picked);
  for (const outcome of run.outcomes) {
    const { change, state, reason } = outcome;
    const seen = seenIn(outcome);
    if (change.action === "create") continue;
    if (state === "changed" || state === "already" || reason === "gone") picked.delete(change.id);
    else if (seen !== undefined && picked.has(change.id)) picked.set(change.id, seen);
  }
  const made = verb === "restored" ? work.made : [...(isMore ? work.made : []), ...run.outcomes];
  const failed = run.outcomes.filter(({ state }) => ["refused", "failed", "unknown"].includes(state));
  return { picked, verb, made, rest: run.rest, complaints: failed.map(complain) };
}

/**
 * Returns text such as `290 websites changed. 8 were so already. 2 refused. 100 left.`
 *
 * @param undo what was done again, so that it says which passwords are lost
 */
export function summarize(run: Run, verb: string, undo?: Undo): string {
  const { outcomes, rest, error } = run;
  const count = (state: Outcome["state"]) => outcomes.filter((outcome) => outcome.state === state).length;
  const already = count("already");
  const counts = [
    [already, already === 1 ? "was so already" : "were so already"],
    [count("refused"), "refused"],
    [rest.length, "left"],
  ] as const;
  return [
    `${many(count("changed"))} ${verb}.`,
    ...counts.filter(([number]) => number > 0).map(([number, text]) => `${number.toLocaleString("en")} ${text}.`),
    ...(undo === undefined ? [] : describeLost(undo, run)),
    ...(error === undefined ? [] : [say(error)]),
  ].join(" ");
}

function describeLost({ changes, withoutPassword }: Undo, { outcomes }: Run): string[] {
  const isDone = ({ state }: Outcome) => state === "changed" || state === "already";
  const done = new Set(outcomes.filter(isDone).map(({ change }) => change.domain));
  const changing = new Set(changes.map(({ domain }) => domain));
  const parts = [
    [withoutPassword.filter((domain) => done.has(domain)), "Private now, since the password is lost"],
    // Private already, unless others have changed it since.
    [withoutPassword.filter((domain) => !changing.has(domain)), "the password is lost"],
  ] as const;
  return parts.flatMap(([domains, text]) => (domains.length === 0 ? [] : [`${nameSome(domains)}: ${text}.`]));
}

/** Returns what somebody else has made of a website, so that it was refused. */
export function seenIn({ now }: Outcome): Version | undefined {
  return now?.website && { website: now.website, tag: now.tag };
}

/** Returns what is said of a website that did not get a change. */
export function complain({ change, state, reason, error, now }: Outcome): string {
  const domain = toUnicodeDomain(change.domain);
  if (state === "unknown") return `${domain}: the answer was lost. Try again to find out.`;
  if (reason === undefined) return `${domain}: ${say(error)}`;
  const before = change.action === "delete" ? change.only?.website : undefined;
  const seen = before && now?.website ? describeChanges(before, now.website).join("; ") || "its password" : "";
  return `${domain} ${reasons[reason]}${seen && ` It changed: ${seen}.`}`;
}

const reasons = {
  gone: "does not exist any more.",
  opens: "was made less visible meanwhile, and would become public. Look at it, and change it again.",
  // Perhaps after it had this change, if an answer was lost.
  changed: "was changed by somebody else. Look at it.",
  untagged: "came without its entity tag, so a change of somebody else could have been lost.",
  overwritten: "was changed by somebody else at the same moment, and that is lost.",
} as const satisfies Record<NonNullable<Outcome["reason"]>, string>;
