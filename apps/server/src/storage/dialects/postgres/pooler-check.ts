import { isFromPooler, translatePostgresError } from "./postgres-error.ts";

/** How long the check fails after a fault. With few requests, a pooler often gives a client the same connection by chance. */
const maxAgeMs = 60_000;

/** Fails if a pooler has recently mixed up the prepared statements of its clients. Then some requests fail, and others do not. */
export class PoolerCheck {
  #fault: { readonly error: unknown; readonly atMs: number } | undefined;

  /** Call this with each error of the driver. */
  note(error: unknown): void {
    if (isFromPooler(error)) this.#fault = { error, atMs: performance.now() };
  }

  /** @throws StorageError `unavailable` whose cause names the settings of the pooler and of the URL */
  run(): void {
    if (this.#fault !== undefined && performance.now() - this.#fault.atMs < maxAgeMs) {
      throw translatePostgresError(this.#fault.error);
    }
  }
}
