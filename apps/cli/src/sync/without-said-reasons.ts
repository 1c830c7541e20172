import { reasonOfError } from "../websites/reason-of-error.ts";
import type { Result } from "./result.ts";
import type { Run } from "./run-all.ts";

/**
 * Returns the results without the reasons that the error below them says. The requests that were sent at the same time
 * meet the same error: a long sentence stood there once for each, and once more below.
 */
export function withoutSaidReasons({ results, stop, isInterrupted }: Run): readonly Result[] {
  // After an interruption, the error says nothing else.
  if (stop === undefined || isInterrupted) return results;
  const said = reasonOfError(stop.error);
  return results.map((result) =>
    result.outcome === "failed" && result.reason === said ? { ...result, reason: undefined } : result,
  );
}
