import { setImmediate } from "node:timers/promises";
import type { Database, ReadConnection, WriteConnection } from "../database/database.ts";
import { InstallationError } from "../interface/installation-error.ts";
import { requireMark } from "../migrations/unfinished-copy.ts";
import { countRows } from "./copied-rows.ts";
import type { CopiedTable, CopiedTableName } from "./copied-tables.ts";

/** The progress of a step. */
interface CopyProgress {
  readonly step: "comparing" | "copying" | "verifying";
  readonly table: CopiedTableName;
  /** Rows of the table that the step has done. */
  readonly done: number;
  readonly total: number;
}

export interface CopyListeners {
  /** Called after each chunk of a thousand rows or, once many are copied, each transaction of at most 5,000. */
  readonly onProgress?: (progress: CopyProgress) => void;
  /** Stops the copy after the rows that it is writing are stored. */
  readonly signal?: AbortSignal;
}

/** One run of a copy: both databases, the mark that it writes under, and its listeners. */
export class CopyRun {
  /** Does not change during the run. */
  readonly source: ReadConnection;
  readonly destination: Database;
  readonly #mark: string;
  readonly #listeners: CopyListeners;

  constructor(
    source: ReadConnection,
    destination: Database,
    options: { readonly mark: string; readonly listeners: CopyListeners },
  ) {
    this.source = source;
    this.destination = destination;
    this.#mark = options.mark;
    this.#listeners = options.listeners;
  }

  /**
   * Changes the destination in one transaction.
   *
   * @throws InstallationError `copy_taken_over` if another copy has taken over
   */
  change<Result>(work: (transaction: WriteConnection) => Promise<Result>): Promise<Result> {
    return this.destination.write(async (transaction) => {
      await requireMark(transaction, this.destination.dialect, this.#mark);
      return await work(transaction);
    });
  }

  /** Begins a step of a table. Returns a function to call with the number of rows that were processed since the last call. */
  async begin(
    step: CopyProgress["step"],
    table: CopiedTable,
    connection: ReadConnection = this.source,
  ): Promise<(rows: number) => Promise<void>> {
    const total = await countRows(connection, table);
    let done = 0;
    return async (rows) => {
      done += rows;
      this.#listeners.onProgress?.({ step, table: table.name, done, total });
      // Queries of an embedded database block the event loop, so the process would not receive signals.
      await setImmediate();
      if (this.#listeners.signal?.aborted === true)
        throw new InstallationError("copy_stopped", "The copy was stopped.");
    };
  }
}
