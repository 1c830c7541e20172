import { type Failure, type IdempotentRequest, idempotencyKeyReused, keptMs, replayed } from "@siteward/service";
import type { Schema } from "../../tables/schema.ts";

export type KeptOutcomeRow = Schema["idempotency_keys"];

/** A refusal, as it is stored instead of what an operation stores of its success. */
interface KeptRefusal {
  readonly refusal: Failure;
}

/** Returns the stored form of a refusal. */
export function refusalOutcome(refusal: Failure): string {
  return JSON.stringify({ refusal } satisfies KeptRefusal);
}

/**
 * Returns what the request that had the idempotency key first has stored of its success.
 *
 * @throws AppError `idempotency_key_reused` if that was another request, or the refusal if it was refused
 */
export function readSuccess<Success extends object>(kept: KeptOutcomeRow, request: IdempotentRequest): Success {
  if (kept.fingerprint !== request.fingerprint) throw idempotencyKeyReused();
  // The cast is safe: an operation reads only what it has stored, because the fingerprint contains method and path.
  const outcome = JSON.parse(kept.outcome) as Success | KeptRefusal;
  if ("refusal" in outcome) throw replayed(outcome.refusal);
  return outcome;
}

/** Whether an outcome is no longer kept at a time, in milliseconds since 1970. */
export function isExpired(kept: KeptOutcomeRow, at: number): boolean {
  return kept.created_at <= at - keptMs;
}
