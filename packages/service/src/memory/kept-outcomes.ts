import type { Failure } from "../errors/app-error.ts";
import { idempotencyKeyReused, isOutcome, replayed } from "../errors/refusals.ts";
import type { VersionedWebsite } from "../records/website-change.ts";
import { keptMs } from "../request/read-idempotency-key.ts";
import type { Created, IdempotentRequest } from "../storage.ts";

/** What a request led to: the website as it was created, or a refusal. */
type Outcome = { readonly created: VersionedWebsite } | { readonly refusal: Failure };

interface KeptOutcome {
  readonly fingerprint: string;
  readonly outcome: Outcome;
  readonly atMs: number;
}

/** More than a test sends in 24 hours of its clock. Then the oldest outcome is forgotten. */
const maxOutcomes = 100_000;

/** The outcomes of an account's requests by their idempotency keys. */
export class KeptOutcomes {
  readonly #kept = new Map<string, KeptOutcome>();

  /**
   * Returns the website that an earlier request with the same key created.
   *
   * @param request undefined if it has no idempotency key
   * @throws AppError the replay of a refusal, or `idempotency_key_reused`
   */
  find(request: IdempotentRequest | undefined, nowMs: number): Created | undefined {
    const kept = request === undefined ? undefined : this.#kept.get(request.key);
    if (kept === undefined || kept.atMs <= nowMs - keptMs) return undefined;
    if (kept.fingerprint !== request?.fingerprint) throw idempotencyKeyReused();
    const { outcome } = kept;
    if ("refusal" in outcome) throw replayed(outcome.refusal);
    return { ...outcome.created, isReplay: true };
  }

  /** Keeps what a request led to, if it has an idempotency key. */
  keep(request: IdempotentRequest | undefined, outcome: Outcome, atMs: number): void {
    if (request === undefined) return;
    const { key, fingerprint } = request;
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= maxOutcomes && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.delete(key);
    this.#kept.set(key, { fingerprint, outcome, atMs });
  }

  /** Keeps an error if it is a refusal. A failure is no outcome. */
  keepRefusal(request: IdempotentRequest | undefined, error: unknown, atMs: number): void {
    if (isOutcome(error)) this.keep(request, { refusal: error.failure }, atMs);
  }
}
