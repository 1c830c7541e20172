import { setTimeout } from "node:timers/promises";
import { isForOperator } from "@siteward/service";

/** How long a caller waits for its check. Next to a busy writer, a check takes as long as a change. */
const maxWaitMs = 200;

/**
 * Checks whether the database accepts changes, one check at a time. A caller whose check takes longer gets the answer of the one
 * before. A check that fails for another reason, such as a busy database, answers nothing.
 */
export class WriteCheck {
  readonly #check: () => Promise<void>;
  #running: Promise<void> | undefined;
  #refusal: unknown;

  /** @param check throws a AppError `database_read_only` or `database_not_permitted` if it does not */
  constructor(check: () => Promise<void>) {
    this.#check = check;
  }

  /** @throws AppError `database_read_only` or `database_not_permitted` if it does not */
  async requireWritable(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    const waited = new AbortController();
    await Promise.race([this.#running, setTimeout(maxWaitMs, undefined, waited)]);
    waited.abort();
    if (this.#refusal !== undefined) throw this.#refusal;
  }

  async #run(): Promise<void> {
    try {
      await this.#check();
      this.#refusal = undefined;
    } catch (error) {
      if (isForOperator(error)) this.#refusal = error;
    }
  }
}
