import { poolerFaultOf, translatePostgresError } from "./postgres-error.ts";

/** How long the check fails after a fault. With few requests, a pooler often gives a client the same connection by chance. */
const maxAgeMs = 60_000;

/** Where an error came from. */
export interface FailedQuery {
  readonly client: object;
  /** The name of a prepared statement. */
  readonly statement: string | undefined;
}

/** Fails if a pooler has recently mixed up the prepared statements of its clients. Then some requests fail, and others do not. */
export class PoolerCheck {
  #fault: { readonly error: unknown; readonly atMs: number } | undefined;
  /** The statements that failed on each connection, so that the queries that waited for one to be prepared had to fail too. */
  readonly #failed = new WeakMap<object, Set<string>>();

  /** Call this with each error of the driver, in the order in which the server answers. */
  note(error: unknown, { client, statement }: FailedQuery): void {
    const failed = this.#failed.get(client) ?? new Set();
    const kind = poolerFaultOf(error);
    if (kind === "exists" || (kind === "missing" && !failed.has(statement ?? ""))) {
      this.#fault = { error, atMs: performance.now() };
    } else if (statement !== undefined) {
      this.#failed.set(client, failed.add(statement));
    }
  }

  /** @throws AppError `unavailable` whose cause names the settings of the pooler and of the URL */
  run(): void {
    if (this.#fault !== undefined && performance.now() - this.#fault.atMs < maxAgeMs) {
      throw translatePostgresError(this.#fault.error);
    }
  }
}
