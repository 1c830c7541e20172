import { isApiError, type Siteward } from "@siteward/sdk";
import { type Creation, type Decision, idOf } from "./change.ts";
import { verdictOfConflict } from "./decide.ts";
import { describeFailure } from "./describe-failure.ts";
import type { Policy } from "./policy.ts";
import type { Attempt, RunOptions } from "./run-all.ts";
import { sendChange } from "./send-change.ts";

/** How changes are tried. */
export interface AttemptOptions extends Pick<RunOptions, "signal"> {
  readonly policy: Policy;
  /** The passwords to send, by domain. */
  readonly passwords: ReadonlyMap<string, string>;
  /** The entity tags of the websites when the changes were decided, by ID. Without them, changes have no condition. */
  readonly tags?: ReadonlyMap<number, string>;
}

/** Does what was decided for a website. Returns undefined if nothing was done, because of an interruption. */
export async function tryChange(
  siteward: Siteward,
  decision: Decision,
  options: AttemptOptions,
): Promise<Attempt | undefined> {
  if (decision.action === "none") return { verdict: decision.verdict };
  const { policy, passwords, tags, signal } = options;
  const id = idOf(decision);
  const password = passwords.get(decision.domain);
  const ifMatch = id === undefined ? undefined : tags?.get(id);
  try {
    return { verdict: await sendChange(siteward, decision, { isExact: policy.isExact, password, ifMatch, signal }) };
  } catch (error) {
    const taken = isApiError(error, "domain_taken") ? error.problem?.website_id : undefined;
    if (taken === undefined || decision.action !== "create") return describeFailure(error, id, policy);
    return await tryTaken(siteward, decision, { ...options, id: taken });
  }
}

/**
 * Treats a domain that was taken after the account was read as one that was there before. So does the second run of an
 * import that was killed while the service still worked on its last requests. If the policy is exact, this is a
 * conflict instead.
 */
async function tryTaken(
  siteward: Siteward,
  { domain, settings }: Creation,
  { id, policy, passwords, signal }: AttemptOptions & { readonly id: number },
): Promise<Attempt | undefined> {
  const conflict = verdictOfConflict(id, policy.onConflict);
  if (conflict !== undefined) return { verdict: conflict };
  const input = { ...settings, password: passwords.get(domain) };
  try {
    await siteward.websites.update(id, input, { waitSignal: signal });
    return { verdict: { outcome: "updated", id } };
  } catch (error) {
    return describeFailure(error, id, policy);
  }
}
