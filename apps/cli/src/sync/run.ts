import type { Siteward, Website } from "@siteward/sdk";
import { runChanges, type Change as Sent, type Version } from "@siteward/sdk/bulk";
import { note } from "../output/notices.ts";
import { startProgress } from "../output/progress.ts";
import type { Io } from "../process/io.ts";
import { type Change, isChange } from "./decide.ts";
import type { Policy } from "./policy.ts";
import type { Result } from "./result.ts";
import { causeOf, isEnd, resultOf } from "./verdict.ts";

/** What became of several websites, and what ended the run early. */
export interface Run {
  /** What became of each website, in the order of the decisions. */
  readonly results: readonly Result[];
  /** The error that ended the run, and the website that met it: of several, the first. */
  readonly stop?: { readonly error: unknown; readonly domain: string | undefined } | undefined;
  readonly isInterrupted: boolean;
}

/** How decisions are carried out. */
export interface RunOptions {
  /** What is done, such as "Importing". */
  readonly label: string;
  readonly policy: Policy;
  /** The passwords to send, by domain. */
  readonly passwords?: ReadonlyMap<string, string>;
  /** How often a request is repeated, from `--retries`. */
  readonly retries: number | undefined;
  /** Called with each website that was created or updated, or needed no change. */
  readonly onWebsite?: (website: Website) => void;
}

/**
 * Does what was decided, and shows its progress. After an error that ends the run, no other change starts, and those
 * that have started finish. So do they at an interruption, and waits end.
 */
export async function run(
  io: Io,
  siteward: Siteward,
  decisions: readonly (Change | Result)[],
  options: RunOptions,
): Promise<Run> {
  const { label, policy, retries: maxRetries, onWebsite } = options;
  const changes = decisions.filter(isChange);
  using progress = startProgress(io, { label, total: changes.length });
  using takeover = io.interruption.takeOver();
  const { signal } = takeover;
  signal.addEventListener("abort", () => void note(io, finishing), { once: true });
  const sent = changes.map((change) => toSent(change, options));
  const { outcomes, culprit, error } = await runChanges(siteward, sent, {
    ...{ signal, maxRetries, parallel: policy.parallel, acceptsMissing: policy.acceptsMissing },
    known: new Map(changes.flatMap(versionOf)),
    stopsAt: (refused) => isEnd(refused, policy),
    onOutcome: (_outcome, _index, website) => {
      progress.advance();
      if (website !== undefined) onWebsite?.(website);
    },
  });
  const next = outcomes.values();
  const results = decisions.map((decision): Result => {
    if (!isChange(decision)) return decision;
    const { place, domain } = decision;
    // There is one for each change.
    const outcome = next.next().value ?? { change: decision, state: "not_tried" };
    return { place, domain, ...resultOf(outcome, policy) };
  });
  const cause = culprit === undefined ? error : causeOf(culprit, policy);
  const stop = cause === undefined ? undefined : { error: cause, domain: culprit?.change.domain };
  return { results, stop, isInterrupted: signal.aborted };
}

const finishing = "Finishing the requests that were sent. Press Ctrl-C again to end at once.";

/** Returns a change with its password. That of a plan is for the version that was shown. */
function toSent(change: Change, { policy, passwords }: RunOptions): Sent {
  if (change.action === "delete") return change;
  const { action, domain } = change;
  const password = passwords?.get(domain);
  if (action === "create") {
    const ifTaken = policy.onConflict === "update" && !policy.isExact ? "update" : undefined;
    return { action, domain, set: password === undefined ? change.set : { ...change.set, password }, ifTaken };
  }
  const { id, only } = change;
  const edit = password === undefined ? change.edit : { ...change.edit, set: { ...change.edit.set, password } };
  return { action, id, domain, edit, only: policy.isExact ? only : undefined };
}

/** Returns the website of an update as it was read, by its ID. */
function versionOf(change: Change): readonly (readonly [number, Version])[] {
  if (change.action !== "update" || change.only?.website === undefined) return [];
  const { website, tag } = change.only;
  return [[change.id, { website, tag }]];
}
