import { isRefusedFor, tooManyWait } from "@siteward/service";
import type { CompiledQuery } from "kysely";
import { FairQueue } from "../../../queues/fair-queue.ts";
import type { StorageLoad } from "../../interface/storage-load.ts";
import { noAccount } from "../whose-turn.ts";
import { isPostgresCanceled, translateAutocommitError } from "./postgres-error.ts";
import { StatementFailure } from "./statement-group.ts";

/** As many as wait for connections. */
const queueLimits = { maxWaiting: 2_000, maxWaitingPerKey: 1_500 };
/** A group takes about a millisecond of the database, and others may wait for the rows that it locks. */
const maxSize = 16;
/** If the account has a group on its way, the next one begins after this time at the latest, on a connection of its own. */
const maxWaitMs = 2;
/** With fewer changes on their way, the next one is sent at once: two callers would otherwise take turns at the round trip. */
const fewChanges = 2;

/** A change, and what becomes of it. */
interface WaitingChange {
  readonly statement: CompiledQuery;
  readonly sinceMs: number;
  /** Undefined if the change was not made, because of another one of its group. */
  readonly result: PromiseWithResolvers<unknown[] | undefined>;
}

/** The changes of one account. */
interface Line {
  /** How many groups were begun and have not ended. */
  begun: number;
  /** How many changes of them were sent. */
  sent: number;
  /** Whether the last of them waits for a connection. */
  isBeginning: boolean;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Runs the statements that `take` returns once there is a connection, as one transaction.
 *
 * @returns the rows of each
 * @throws StatementFailure if one of them failed
 */
type WriteTogether = (accountId: number, take: () => readonly CompiledQuery[]) => Promise<unknown[][]>;

/**
 * Sends the changes of an account that wait at the same time as one transaction: one round trip and one commit. A change is sent at
 * once if at most one other of its account is on its way. Otherwise it waits for one of them, but not for longer than `maxWaitMs`.
 *
 * Accounts have groups of their own, so that none waits for the rows of another one.
 */
export class ChangeGroups {
  readonly #write: WriteTogether;
  readonly #timeoutMs: number;
  readonly #waiting = new FairQueue<WaitingChange>(queueLimits);
  readonly #lines = new Map<number, Line>();
  /** Changes that are sent alone. */
  #alone = 0;
  #groupCount = 0;
  #writeCount = 0;

  /** @param timeoutMs a change that has waited for longer is refused when the next group of its account is sent without it */
  constructor(write: WriteTogether, timeoutMs: number) {
    this.#write = write;
    this.#timeoutMs = timeoutMs;
  }

  load(): Pick<StorageLoad, "waitingWrites" | "groups"> {
    const sent = Array.from(this.#lines.values(), (line) => line.sent).reduce((sum, count) => sum + count, 0);
    return {
      waitingWrites: this.#waiting.size + sent + this.#alone,
      groups: { count: this.#groupCount, writes: this.#writeCount },
    };
  }

  async write(accountId: number, statement: CompiledQuery): Promise<unknown[]> {
    // Without an account, it could lock rows of several ones, which have no order.
    const rows = accountId === noAccount ? undefined : await this.#inGroup(accountId, statement);
    return rows ?? this.#writeAlone(accountId, statement);
  }

  async #writeAlone(accountId: number, statement: CompiledQuery): Promise<unknown[]> {
    this.#alone += 1;
    try {
      const [rows = []] = await this.#write(accountId, () => [statement]);
      this.#countGroup(1);
      return rows;
    } catch (error) {
      throw error instanceof StatementFailure ? translateAutocommitError(error.cause) : error;
    } finally {
      this.#alone -= 1;
    }
  }

  #countGroup(writes: number): void {
    this.#groupCount += 1;
    this.#writeCount += writes;
  }

  /** Returns undefined if the change was not made, because of another one of its group. */
  async #inGroup(accountId: number, statement: CompiledQuery): Promise<unknown[] | undefined> {
    const change = {
      statement,
      sinceMs: performance.now(),
      result: Promise.withResolvers<unknown[] | undefined>(),
    };
    const refused = this.#waiting.enter(accountId, change);
    refused?.result.reject(tooManyWait());
    if (refused !== change) this.#beginNext(accountId, this.#lineOf(accountId));
    return change.result.promise;
  }

  #lineOf(accountId: number): Line {
    const line = this.#lines.get(accountId) ?? { begun: 0, sent: 0, isBeginning: false, timer: undefined };
    this.#lines.set(accountId, line);
    return line;
  }

  #beginNext(accountId: number, line: Line): void {
    if (line.sent < fewChanges && !line.isBeginning) {
      void this.#begin(accountId, line);
      return;
    }
    line.timer ??= setTimeout(() => {
      line.timer = undefined;
      if (!line.isBeginning) void this.#begin(accountId, line);
    }, maxWaitMs);
  }

  async #begin(accountId: number, line: Line): Promise<void> {
    const beganMs = performance.now();
    let group: WaitingChange[] = [];
    line.begun += 1;
    line.isBeginning = true;
    try {
      const rows = await this.#write(accountId, () => {
        line.isBeginning = false;
        group = this.#take(accountId, line);
        return group.map(({ statement }) => statement);
      });
      this.#countGroup(group.length);
      for (const [index, { result }] of group.entries()) result.resolve(rows[index]);
    } catch (error) {
      line.isBeginning &&= group.length > 0;
      if (group.length > 0) fail(group, error);
      // There was no connection for those that have waited for as long as this one.
      else this.#refuse(accountId, beganMs, error);
    }
    line.sent -= group.length;
    this.#end(accountId, line);
  }

  #take(accountId: number, line: Line): WaitingChange[] {
    clearTimeout(line.timer);
    line.timer = undefined;
    const group = this.#waiting.take(accountId, () => true, maxSize);
    line.sent += group.length;
    this.#refuse(accountId, performance.now() - this.#timeoutMs, tooManyWait());
    if (this.#waiting.countOf(accountId) > 0) this.#beginNext(accountId, line);
    return group;
  }

  #end(accountId: number, line: Line): void {
    line.begun -= 1;
    if (this.#waiting.countOf(accountId) > 0) {
      this.#beginNext(accountId, line);
    } else if (line.begun === 0) {
      clearTimeout(line.timer);
      this.#lines.delete(accountId);
    }
  }

  /** Refuses the changes that have waited since a time. */
  #refuse(accountId: number, timeMs: number, error: unknown): void {
    const refused = this.#waiting.take(accountId, ({ sinceMs }) => sinceMs <= timeMs, queueLimits.maxWaiting);
    for (const { result } of refused) result.reject(error);
  }
}

/** The change that failed gets the error. The others were undone, and are made again, each alone. */
function fail(group: readonly WaitingChange[], error: unknown): void {
  const cause = error instanceof StatementFailure ? translateAutocommitError(error.cause) : error;
  // After a wait for the row of the account, each of them would wait for it again.
  const isUndone =
    error instanceof StatementFailure && !isRefusedFor(cause, "outcome_unknown") && !isPostgresCanceled(cause);
  // None of them failed if their commit did.
  const failed = error instanceof StatementFailure ? group[error.index] : undefined;
  for (const change of group) {
    if (isUndone && group.length > 1 && change !== failed) change.result.resolve(undefined);
    else change.result.reject(cause);
  }
}
