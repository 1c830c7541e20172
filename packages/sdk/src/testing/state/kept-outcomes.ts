import type { Website } from "@siteward/contract";
import { type AppError, asReplayed, idempotencyInProgress, idempotencyKeyReused, keptMs } from "@siteward/service";

/** A request with an idempotency key. */
export interface IdempotentRequest {
  readonly key: string;
  /** The same for requests that say the same. */
  readonly fingerprint: string;
}

/** What a request led to: the website as it was created, or a refusal. */
export type Outcome = { readonly created: Website } | { readonly refusal: AppError };

/** More than a test sends in 24 hours of its clock. Then the oldest outcome is forgotten. */
const maxOutcomes = 100_000;

/** The outcomes of requests by their idempotency keys, and the requests that are being answered. */
export class KeptOutcomes {
  readonly #kept = new Map<
    string,
    { readonly fingerprint: string; readonly outcome: Outcome; readonly atMs: number }
  >();
  readonly #running = new Map<string, string>();

  /**
   * Notes a request until it is answered.
   *
   * @returns a function that ends the note
   * @throws AppError `idempotency_in_progress` or `idempotency_key_reused`
   */
  begin({ key, fingerprint }: IdempotentRequest): () => void {
    const running = this.#running.get(key);
    if (running !== undefined) throw running === fingerprint ? idempotencyInProgress() : idempotencyKeyReused();
    this.#running.set(key, fingerprint);
    return () => this.#running.delete(key);
  }

  /**
   * Returns the website that an earlier request with the same key created.
   *
   * @throws AppError if the earlier request was refused, or was another one
   */
  find({ key, fingerprint }: IdempotentRequest, nowMs: number): Website | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined || kept.atMs <= nowMs - keptMs) return undefined;
    if (kept.fingerprint !== fingerprint) throw idempotencyKeyReused();
    if ("refusal" in kept.outcome) throw asReplayed(kept.outcome.refusal);
    return kept.outcome.created;
  }

  keep({ key, fingerprint }: IdempotentRequest, outcome: Outcome, atMs: number): void {
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= maxOutcomes && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.delete(key);
    this.#kept.set(key, { fingerprint, outcome, atMs });
  }
}
