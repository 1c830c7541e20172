import { idempotencyInProgress, idempotencyKeyReused } from "../errors/refusals.ts";
import type { IdempotentRequest } from "../storage.ts";

/**
 * The requests with an idempotency key that this process is answering. A second one with the same key is refused at once, so
 * that it does not wait, and hashes no password again. In another process it waits for the transaction of the first.
 */
export class RunningRequests {
  /** The fingerprints by account and key. There are at most as many as requests in progress. */
  readonly #running = new Map<string, string>();

  /**
   * Notes a request until it is answered.
   *
   * @returns a function that ends the note
   * @throws AppError `idempotency_in_progress` or `idempotency_key_reused`
   */
  begin(accountId: number, { key, fingerprint }: IdempotentRequest): () => void {
    const name = `${accountId} ${key}`;
    const running = this.#running.get(name);
    if (running !== undefined) throw running === fingerprint ? idempotencyInProgress() : idempotencyKeyReused();
    this.#running.set(name, fingerprint);
    return () => this.#running.delete(name);
  }
}
