import type { Change, Exposure, Outcome, Run, Version } from "@siteward/sdk/bulk";
import { summarize } from "../words/settings.ts";
import { digits, many, nameDomain, nameSome, say } from "../words/text.ts";
import type { Doing } from "./journal-store.ts";

/** Such as `1 website will become public: a.example. 1 password will be deleted, which cannot be undone: a.example.` */
export function describeExposure({ opened, passwords }: Omit<Exposure, "created">, isNamed = true): string {
  const parts = [
    [opened, "website", "will become public"],
    [passwords, "password", "will be deleted, which cannot be undone"],
  ] as const;
  const name = (domains: readonly string[]) => (isNamed ? `: ${nameSome(domains)}` : "");
  return parts
    .filter(([domains]) => domains.length > 0)
    .map(([domains, noun, text]) => `${many(domains.length, noun)} ${text}${name(domains)}.`)
    .join(" ");
}

/** What a person is about in an account. It outlasts a look at one website, and a key that stops working. */
export interface Work {
  /** The IDs of the selected websites, which survive other pages and filters. What they are like is in the data. */
  readonly picked: ReadonlySet<number>;
  /** What is left of the last run. */
  readonly rest: readonly Change[];
  readonly doing: Doing | undefined;
  /** The websites that did not get a change, and why. */
  readonly complaints: readonly string[];
}

export const noWork: Work = { picked: new Set(), rest: [], doing: undefined, complaints: [] };

/** Returns what a person is about after a run. What is done is no longer selected. What is left of another run stays. */
export function advance(work: Work, run: Run, doing: Doing): Work {
  const isDone = ({ state, reason }: Outcome) => state === "changed" || state === "already" || reason === "gone";
  const done = new Set(run.outcomes.filter(isDone).map(({ change }) => change.action !== "create" && change.id));
  const picked = new Set([...work.picked].filter((id) => !done.has(id)));
  const left = run.rest.length > 0 || doing.entry === work.doing?.entry ? { doing, rest: run.rest } : {};
  return { ...work, picked, complaints: complaintsOf(run), ...left };
}

/** Returns text such as `290 websites changed. 8 were so already. 2 refused. 100 left.` */
export function summarizeRun(run: Run, verb: string): string {
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
    ...counts.filter(([number]) => number > 0).map(([number, text]) => `${digits(number)} ${text}.`),
    ...(error === undefined ? [] : [say(error)]),
  ].join(" ");
}

/** Returns what is said of each website that did not get a change. */
export function complaintsOf({ outcomes }: Run): string[] {
  return outcomes.filter(({ state }) => ["refused", "failed", "unknown"].includes(state)).map(complain);
}

/** Returns what somebody else has made of a website, so that it was refused. */
export function seenIn({ now }: Outcome): Version | undefined {
  return now?.website && { website: now.website, tag: now.tag };
}

export function complain({ change, state, reason, error, now }: Outcome): string {
  const domain = nameDomain(change.domain);
  if (state === "unknown") return `${domain}: the answer was lost. Try again to find out.`;
  if (reason === undefined) return `${domain}: ${say(error)}`;
  const before = change.action === "delete" ? change.only?.website : undefined;
  // Before somebody else's: browsers repeat a request unseen if its answer is lost.
  const mayBeMade = change.action === "update" && change.tried;
  const seen = before && now?.website ? summarize(before, now.website).join("; ") || "its password" : "";
  return `${domain} ${reasons[reason]}${seen && ` It changed: ${seen}.`}${mayBeMade ? " It may have this change." : ""}`;
}

const reasons = {
  gone: "does not exist any more.",
  opens: "was made less visible meanwhile, and would become public. Look at it.",
  changed: "was changed by somebody else. Look at it.",
  untagged: "came without its entity tag, so a change of somebody else could have been lost.",
  overwritten: "was changed by somebody else at the same moment, and that is lost.",
} as const satisfies Record<NonNullable<Outcome["reason"]>, string>;
