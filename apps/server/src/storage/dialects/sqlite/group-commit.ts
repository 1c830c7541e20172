import { type AppError, databaseBusy } from "@siteward/service";
import type { CompiledQuery } from "kysely";
import type { FairQueueLimits } from "../../../queues/fair-queue.ts";
import { type GroupSize, TransactionGroup } from "./transaction-group.ts";
import { TransactionLine } from "./transaction-line.ts";

/** How much one group may contain, and how many transactions may wait for the next ones. */
export interface GroupLimits extends GroupSize, FairQueueLimits {}

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
   * @returns how long the disk took, in milliseconds
   * @throws if any of it fails. Then nothing is kept.
   */
  commit(lastStatements: readonly CompiledQuery[]): Promise<number>;
  /** Whether it is open. The engine ends it by itself after some failures, such as a full disk. */
  readonly isOpen: boolean;
}

/**
 * Runs transactions one at a time, and commits those that wait together as one group: a sync of the disk takes as long for
 * many as for one. Accounts take turns. Each transaction runs in a savepoint of one outer transaction, so that one that fails
 * is rolled back alone. None is acknowledged before all are durable. If the commit fails, all fail.
 *
 * A group is committed in the next turn of the event loop, so that a single transaction does not wait for others. Between
 * two groups the event loop gets a turn.
 */
export class GroupCommit {
  readonly #outer: OuterTransaction;
  readonly #limits: GroupLimits;
  readonly #line: TransactionLine;
  #isBusy = false;
  #group: TransactionGroup | undefined;
  /** How long the disk took for the last group. */
  #syncMs = 0;

  constructor(outer: OuterTransaction, limits: GroupLimits) {
    this.#outer = outer;
    this.#limits = limits;
    this.#line = new TransactionLine(limits);
  }

  /**
   * Waits until the connection is free and it is the turn of the account. Every call is followed by one of `leave`, `commit`
   * or `rollback`.
   *
   * @throws AppError `unavailable` if too many wait
   */
  enter(accountId: number): Promise<void> {
    return this.#untilStarted(this.#line.wait(accountId));
  }

  /** Waits until the connection is free and the group has ended, to run outside of a transaction. Call `leave` after it. */
  enterAlone(): Promise<void> {
    return this.#untilStarted(this.#line.waitAlone());
  }

  #untilStarted(started: Promise<void>): Promise<void> {
    if (!this.#isBusy) this.#goOn();
    return started;
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
   * @param accountId in whose turn it ran
   * @param lastStatements run right before the group is committed
   * @throws before the connection is free, if the transaction cannot end. Call `rollback` then.
   */
  commit(accountId: number, lastStatements: readonly CompiledQuery[]): Promise<void> {
    const group = this.#group;
    if (group === undefined) throw new Error("No transaction is open.");
    if (!this.#outer.isOpen) throw endedByEngine();
    if (group.size > 0) this.#outer.releaseSavepoint();
    group.add(accountId, lastStatements);
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

  #undo(group: TransactionGroup, reason: unknown): void {
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
    const group = new TransactionGroup(this.#limits, this.#syncMs);
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
    if (group !== undefined && (this.#line.isNextAlone || group.isComplete())) {
      this.#isBusy = true;
      void this.#end(group);
      return;
    }
    const next = this.#line.next();
    if (next === undefined) return;
    this.#isBusy = true;
    next.start();
  }

  async #end(group: TransactionGroup): Promise<void> {
    try {
      this.#syncMs = await this.#outer.commit(group.lastStatements);
      this.#group = undefined;
      group.committed.resolve();
    } catch (error) {
      this.#fail(group, error);
    }
    if (this.#line.size === 0) this.leave();
    else setImmediate(() => this.leave());
  }

  #fail(group: TransactionGroup, error: unknown): void {
    this.#group = undefined;
    // Nobody waits for this promise if no transaction of the group has ended successfully.
    group.committed.promise.catch(() => undefined);
    group.committed.reject(error);
  }
}

/** The changes before it would be lost, and those after it committed one at a time. */
function endedByEngine(): AppError {
  return databaseBusy(new Error("The engine has ended the transaction."));
}
