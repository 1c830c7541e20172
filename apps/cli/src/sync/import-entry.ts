import { type ErrorCode, isApiError, type Siteward } from "@siteward/sdk";
import { reasonOfError } from "../websites/reason-of-error.ts";
import { waitForRateLimit } from "../websites/wait-for-rate-limit.ts";
import type { Decision, OnConflict } from "./decide-import.ts";
import type { Verdict } from "./import-result.ts";

/** What became of an entry, and the error that every other entry would meet too, if it is one. */
export interface Attempt {
  readonly verdict: Verdict;
  readonly stop?: unknown;
}

/** The errors that say something about one website. Every other error would meet the next website too. */
const codesOfOneWebsite: ReadonlySet<string> = new Set([
  "malformed_request",
  "not_found",
  "domain_taken",
  "idempotency_in_progress",
  "idempotency_key_reused",
  "precondition_failed",
  "body_too_large",
  "validation_failed",
] satisfies ErrorCode[]);

/** How entries are imported. */
export interface EntryMode {
  readonly onConflict: OnConflict;
  /** A request that the rate limit refuses is not repeated after this is aborted. */
  readonly signal: AbortSignal;
}

/** Does what was decided for an entry. */
export async function importEntry(siteward: Siteward, decision: Decision, mode: EntryMode): Promise<Attempt> {
  const { signal } = mode;
  if (decision.action === "none") return { verdict: decision.verdict };
  try {
    if (decision.action === "update") {
      await waitForRateLimit(() => siteward.websites.update(decision.id, decision.input), signal);
      return { verdict: { outcome: "updated", id: decision.id } };
    }
    const { id } = await waitForRateLimit(() => siteward.websites.create(decision.input), signal);
    return { verdict: { outcome: "created", id } };
  } catch (error) {
    const id = isApiError(error, "domain_taken") ? error.problem?.website_id : undefined;
    if (id === undefined || decision.action === "update") return describeFailure(error, decision);
    return await importTaken(siteward, { ...decision, id }, mode);
  }
}

/**
 * Treats a domain that was taken after the account was read as one that was there before. So does the second run of an import
 * that was killed while the service still worked on its last requests.
 */
async function importTaken(
  siteward: Siteward,
  { input, id }: Extract<Decision, { action: "create" }> & { readonly id: number },
  mode: EntryMode,
): Promise<Attempt> {
  const { onConflict } = mode;
  if (onConflict === "skip") return { verdict: { outcome: "skipped", id, reason: "exists" } };
  if (onConflict === "fail") return { verdict: { outcome: "refused", id, reason: "exists" } };
  const { domain: _sameWebsite, ...settings } = input;
  return await importEntry(siteward, { action: "update", id, input: settings }, mode);
}

function describeFailure(error: unknown, decision: Decision): Attempt {
  const id = decision.action === "update" ? decision.id : undefined;
  const reason = reasonOfError(error);
  const isOfOneWebsite = isApiError(error) && codesOfOneWebsite.has(error.code);
  if (isOfOneWebsite) return { verdict: { outcome: "refused", id, reason } };
  return { verdict: { outcome: "failed", id, reason }, stop: error };
}
