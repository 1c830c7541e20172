import { AbortError, type Siteward, type Website } from "@siteward/sdk";
import { note } from "../output/notices.ts";
import { startProgress } from "../output/progress.ts";
import type { Io } from "../process/io.ts";
import { runTasks } from "../process/run-tasks.ts";
import { type Decision, idOf } from "./decide.ts";
import type { Policy } from "./policy.ts";
import type { Result } from "./result.ts";
import { type Sent, sendChange } from "./send.ts";
import { reasonOfError, whoseFault } from "./whose-fault.ts";

/** What became of several websites, and what ended the run early. */
export interface Run {
  /** What became of each website, in the order of the decisions. */
  readonly results: readonly Result[];
  /** The error that ended the run, and the website that met it. If several met one, the first in the order of the run. */
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
  /** The entity tags of the websites when the changes were decided, by ID. Without them, changes have no condition. */
  readonly tags?: ReadonlyMap<number, string>;
  /** Called with each website that was created or updated. */
  readonly onWebsite?: (website: Website) => void;
}

/**
 * Does what was decided, and shows its progress. Deletes start only when everything else is done: a failure half-way
 * leaves websites too many rather than too few. After an error that ends the run, no other change starts, and those
 * that have started finish. So do they at the first interruption, and what waits for the rate limit ends.
 */
export async function run(
  io: Io,
  siteward: Siteward,
  decisions: readonly Decision[],
  options: RunOptions,
): Promise<Run> {
  const { label, policy } = options;
  using progress = startProgress(io, { label, total: decisions.length });
  using takeover = io.interruption.takeOver();
  const { signal } = takeover;
  signal.addEventListener("abort", () => void note(io, finishing), { once: true });
  // An apply names the IDs that its plan has shown. An import has shown none.
  const results = decisions.map((decision): Result => {
    const { place, domain } = decision;
    return { place, domain, id: policy.isExact ? idOf(decision) : undefined, outcome: "not_tried" };
  });
  const errors: (readonly [index: number, error: unknown])[] = [];
  const carryOut = async ([index, decision]: readonly [number, Decision]): Promise<"stop" | undefined> => {
    const sent = await tryDecision(siteward, decision, { ...options, signal });
    if (sent === undefined) return "stop";
    const { place, domain } = decision;
    const { website, error, ...verdict } = sent;
    results[index] = { place, domain, ...verdict };
    progress.advance();
    if (website !== undefined) options.onWebsite?.(website);
    if (error !== undefined) errors.push([index, error]);
    return errors.length > 0 ? "stop" : undefined;
  };
  const parts = Map.groupBy(decisions.entries(), ([, { action }]) => action === "delete");
  for (const isDelete of [false, true]) {
    if (errors.length > 0) break;
    await runTasks(parts.get(isDelete) ?? [], { parallel: policy.parallel, signal }, carryOut);
  }
  const [first] = errors.toSorted(([one], [other]) => one - other);
  const stop = first && { error: first[1], domain: results[first[0]]?.domain };
  return { results, stop, isInterrupted: signal.aborted };
}

const finishing = "Finishing the requests that were sent. Press Ctrl-C again to end at once.";

/**
 * Returns undefined if an interruption ended the wait for the rate limit, and no request was sent that may have done
 * something.
 */
async function tryDecision(
  siteward: Siteward,
  decision: Decision,
  { policy, passwords, tags, signal }: RunOptions & { readonly signal: AbortSignal },
): Promise<Sent | undefined> {
  if (decision.action === "none") return decision.verdict;
  const id = idOf(decision);
  const [password, ifMatch] = [passwords?.get(decision.domain), tags?.get(id ?? 0)];
  try {
    return await sendChange(siteward, decision, { policy, password, ifMatch, signal });
  } catch (error) {
    // Only the `waitSignal` of a run aborts its calls.
    if (error instanceof AbortError) return undefined;
    const isRefused = whoseFault(error) === "website";
    const verdict = { outcome: isRefused ? "refused" : "failed", id, reason: reasonOfError(error) } as const;
    return isRefused && policy.afterRefusal === "go_on" ? verdict : { ...verdict, error };
  }
}
