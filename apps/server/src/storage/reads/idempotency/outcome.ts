import { type IdempotentRequest, keptMs, type Refusal, StorageError } from "@siteward/service";
import type { Schema } from "../../tables/schema.ts";

export type KeptOutcomeRow = Schema["idempotency_keys"];

/** A refusal, as it is stored instead of what an operation stores of its success. */
interface KeptRefusal {
  readonly refusal: Refusal;
}

/** Returns the stored form of a refusal. */
export function refusalOutcome(refusal: Refusal): string {
  return JSON.stringify({ refusal } satisfies KeptRefusal);
}

/**
 * Returns what the request that had the idempotency key first has stored of its success.
 *
 * @throws StorageError `idempotency-key-reused` if that was another request, or `refused-before` if it was refused
 */
export function readSuccess<Success extends object>(kept: KeptOutcomeRow, request: IdempotentRequest): Success {
  if (kept.fingerprint !== request.fingerprint) throw new StorageError({ reason: "idempotency-key-reused" });
  // The cast is safe: an operation reads only what it has stored, because the fingerprint contains method and path.
  const outcome = JSON.parse(kept.outcome) as Success | KeptRefusal;
  if ("refusal" in outcome) throw new StorageError({ reason: "refused-before", refusal: outcome.refusal });
  return outcome;
}

/** Whether an outcome is no longer kept at a time, in milliseconds since 1970. */
export function isExpired(kept: KeptOutcomeRow, at: number): boolean {
  return kept.created_at <= at - keptMs;
}
