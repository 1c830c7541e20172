import { type IdempotentRequest, keptMs, type Refusal, StorageError } from "@siteward/service";
import type { Schema } from "../../tables/schema.ts";

export type KeptOutcomeRow = Schema["idempotency_keys"];

/** What a request led to, as it is stored. */
type KeptOutcome<Result> = { readonly result: Result } | { readonly refusal: Refusal };

/** Returns the stored form of a refusal. */
export function refusalOutcome(refusal: Refusal): string {
  return JSON.stringify({ refusal } satisfies KeptOutcome<unknown>);
}

/**
 * Returns the result of the request that had the idempotency key first.
 *
 * @throws StorageError `idempotency-key-reused` if that was another request, or `refused-before` if it was refused
 */
export function readResult<Result>(kept: KeptOutcomeRow, request: IdempotentRequest): Result {
  if (kept.fingerprint !== request.fingerprint) throw new StorageError({ reason: "idempotency-key-reused" });
  // The cast is safe: an operation reads only what it has stored, because the fingerprint contains method and path.
  const outcome = JSON.parse(kept.outcome) as KeptOutcome<Result>;
  if ("refusal" in outcome) throw new StorageError({ reason: "refused-before", refusal: outcome.refusal });
  return outcome.result;
}

/** Whether an outcome is no longer kept at a time, in milliseconds since 1970. */
export function isExpired(kept: KeptOutcomeRow, at: number): boolean {
  return kept.created_at <= at - keptMs;
}
