import type { CompiledQuery } from "kysely";

/** How much one group may contain. */
export interface GroupSize {
  readonly maxSize: number;
  /** How long a group accepts transactions. Other processes wait for its end. */
  readonly maxMs: number;
}

/** Transactions that are committed together. */
export class TransactionGroup {
  /** Run right before the commit. */
  readonly lastStatements: CompiledQuery[] = [];
  readonly committed = Promise.withResolvers<void>();
  /** Whether it must be committed when the current transaction ends. */
  isDue = false;
  readonly #startedMs = performance.now();
  readonly #limits: GroupSize;
  readonly #syncMs: number;
  readonly #sizeOf = new Map<number, number>();
  #size = 0;
  #hasShare = false;

  /** @param syncMs how long the disk took for the group before */
  constructor(limits: GroupSize, syncMs: number) {
    this.#limits = limits;
    this.#syncMs = syncMs;
  }

  /** How many of its transactions have ended successfully. */
  get size(): number {
    return this.#size;
  }

  /** Adds a transaction that has ended successfully. */
  add(accountId: number, lastStatements: readonly CompiledQuery[]): void {
    // As arguments of one call, 300,000 statements would overflow the stack.
    for (const statement of lastStatements) this.lastStatements.push(statement);
    this.#size += 1;
    const size = (this.#sizeOf.get(accountId) ?? 0) + 1;
    this.#sizeOf.set(accountId, size);
    this.#hasShare ||= this.#sizeOf.size > 1 && size >= this.#limits.maxSize / 4;
  }

  /**
   * Whether it accepts no more transactions. While others wait for its end, an account has a quarter of it: without that, the
   * only writer next to 500 of another account waited for 24 ms instead of 16. It may have more as long as the disk took for
   * the group before, because on a slow disk smaller groups store less: 20 % with syncs of 5 ms.
   */
  isComplete(): boolean {
    const { maxSize, maxMs } = this.#limits;
    const endMs = this.#hasShare ? Math.min(this.#syncMs, maxMs) : maxMs;
    return this.isDue || this.#size >= maxSize || performance.now() - this.#startedMs >= endMs;
  }
}
