import { type StorageError, storageUnavailable, tooManyChangesWait } from "@siteward/service";
import type { CompiledQuery } from "kysely";

/** How much one group may contain, and how many transactions may wait for the next ones. */
export interface GroupLimits {
  readonly maxSize: number;
  /** How long a group accepts transactions. Other processes wait for its end. */
  readonly maxMs: number;
  readonly maxWaiting: number;
}

/** The transaction that contains a group. */
export interface OuterTransaction {
  /** @param deadlineMs when to stop waiting for other writers, on the clock of `performance.now` */
  begin(deadlineMs: number): Promise<void>;
  savepoint(): void;
  releaseSavepoint(): void;
  rollbackToSavepoint(): void;
  rollback(): void;
  /**
   * Runs the statements, and makes all changes durable.
   *
   * @throws if any of it fails. Then nothing is kept.
   */
  commit(lastStatements: readonly CompiledQuery[]): Promise<void>;
  /** Whether it is open. The engine ends it by itself after some failures, such as a full disk. */
  readonly isOpen: boolean;
}

interface Group {
  readonly startedMs: number;
  /** How many of its transactions have ended successfully. */
  size: number;
  /** Whether it must be committed when the current transaction ends. */
  isDue: boolean;
  readonly lastStatements: CompiledQuery[];
  readonly committed: PromiseWithResolvers<void>;
}

interface Waiter {
  readonly needsNoGroup: boolean;
  readonly start: () => void;
}

/**
 * Runs transactions one at a time, in the order of the calls, and commits those that wait together as one group: a sync of
 * the disk takes as long for many as for one. Each runs in a savepoint of one outer transaction, so that one that fails is
 * rolled back alone. None is acknowledged before all are durable. If the commit fails, all fail.
 *
 * A group is committed in the next turn of the event loop, so that a single transaction does not wait for others. Between
 * two groups the event loop gets a turn.
 */
export class GroupCommit {
  readonly #outer: OuterTransaction;
  readonly #limits: GroupLimits;
  readonly #waiting: Waiter[] = [];
  #isBusy = false;
  #group: Group | undefined;

  constructor(outer: OuterTransaction, limits: GroupLimits) {
    this.#outer = outer;
    this.#limits = limits;
  }

  /**
   * Waits until the connection is free. Every call is followed by one of `leave`, `commit` or `rollback`.
   *
   * @param options.needsNoGroup whether it must also wait for the end of the current group, to run outside of a transaction
   * @throws StorageError `unavailable` if too many wait
   */
  async enter({ needsNoGroup = false } = {}): Promise<void> {
    if (!this.#isBusy && this.#waiting.length === 0 && (!needsNoGroup || this.#group === undefined)) {
      this.#isBusy = true;
      return;
    }
    if (this.#waiting.length >= this.#limits.maxWaiting) throw tooManyChangesWait();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ needsNoGroup, start: resolve });
    if (!this.#isBusy) this.#goOn();
    await promise;
  }

  /** Frees the connection for the next caller. */
  leave(): void {
    this.#isBusy = false;
    this.#goOn();
  }

  /** Begins a transaction of the caller that has entered, in the current group or a new one. */
  async begin(deadlineMs: number): Promise<void> {
    if (this.#group !== undefined && !this.#outer.isOpen) this.#fail(this.#group, endedByEngine());
    if (this.#group === undefined) {
      await this.#outer.begin(deadlineMs);
      this.#open();
    } else if (this.#group.size > 0) this.#outer.savepoint();
  }

  /**
   * Ends the transaction and frees the connection. Resolves once the transaction is durable.
   *
   * @param lastStatements run right before the group is committed
   * @throws before the connection is free, if the transaction cannot end. Call `rollback` then.
   */
  commit(lastStatements: readonly CompiledQuery[]): Promise<void> {
    const group = this.#group;
    if (group === undefined) throw new Error("No transaction is open.");
    if (!this.#outer.isOpen) throw endedByEngine();
    // As arguments of one call, 300,000 statements would overflow the stack.
    for (const statement of lastStatements) group.lastStatements.push(statement);
    if (group.size > 0) this.#outer.releaseSavepoint();
    group.size += 1;
    this.leave();
    return group.committed.promise;
  }

  /**
   * Undoes the transaction and frees the connection. If only the whole group can be undone, all of the group fail.
   *
   * Resolves once the transactions before it in the group are durable, because it may have failed for what they changed: a
   * domain that is taken, or a record that is deleted. If they fail, so does this, with their error.
   */
  async rollback(reason: unknown): Promise<void> {
    const group = this.#group;
    try {
      if (group !== undefined) this.#undo(group, reason);
    } finally {
      this.leave();
    }
    if (group !== undefined && group.size > 0) await group.committed.promise;
  }

  #undo(group: Group, reason: unknown): void {
    try {
      if (group.size > 0 && this.#outer.isOpen) {
        this.#outer.rollbackToSavepoint();
        return;
      }
      this.#fail(group, reason);
      this.#outer.rollback();
    } catch (error) {
      this.#fail(group, error);
      this.#outer.rollback();
    }
  }

  #open(): void {
    const committed = Promise.withResolvers<void>();
    const group: Group = { startedMs: performance.now(), size: 0, isDue: false, lastStatements: [], committed };
    this.#group = group;
    setImmediate(() => {
      if (this.#group !== group) return;
      group.isDue = true;
      if (!this.#isBusy) this.#goOn();
    });
  }

  /** Ends the group, or starts the next transaction. */
  #goOn(): void {
    const group = this.#group;
    const [next] = this.#waiting;
    if (group !== undefined && (this.#isComplete(group) || next?.needsNoGroup === true)) {
      this.#isBusy = true;
      void this.#end(group);
    } else if (next !== undefined) {
      this.#isBusy = true;
      this.#waiting.shift();
      next.start();
    }
  }

  #isComplete(group: Group): boolean {
    const { maxSize, maxMs } = this.#limits;
    return group.isDue || group.size >= maxSize || performance.now() - group.startedMs >= maxMs;
  }

  async #end(group: Group): Promise<void> {
    try {
      await this.#outer.commit(group.lastStatements);
      this.#group = undefined;
      group.committed.resolve();
    } catch (error) {
      this.#fail(group, error);
    }
    if (this.#waiting.length === 0) this.leave();
    else setImmediate(() => this.leave());
  }

  #fail(group: Group, error: unknown): void {
    this.#group = undefined;
    // Nobody waits for this promise if no transaction of the group has ended successfully.
    group.committed.promise.catch(() => undefined);
    group.committed.reject(error);
  }
}

/** The changes before it would be lost, and those after it committed one at a time. */
function endedByEngine(): StorageError {
  return storageUnavailable(new Error("The engine has ended the transaction."));
}
