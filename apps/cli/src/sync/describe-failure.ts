import { isSitewardError } from "@siteward/sdk";
import { reasonOfError } from "../websites/reason-of-error.ts";
import type { Policy } from "./policy.ts";
import type { Attempt } from "./run-all.ts";
import { whoseFault } from "./whose-fault.ts";

/**
 * Returns what an error means for the website that met it, and whether it ends the run. Undefined if an interruption ended
 * its wait before a request was sent that may have done something.
 *
 * @param id the ID of the website, if it exists
 */
export function describeFailure(
  error: unknown,
  id: number | undefined,
  { afterRefusal }: Pick<Policy, "afterRefusal">,
): Attempt | undefined {
  // Only the `waitSignal` of a run aborts its calls.
  if (isSitewardError(error) && error.code === "aborted") return undefined;
  const isRefused = whoseFault(error) === "website";
  const verdict = { outcome: isRefused ? "refused" : "failed", id, reason: reasonOfError(error) } as const;
  return isRefused && afterRefusal === "go_on" ? { verdict } : { verdict, stop: { error } };
}
