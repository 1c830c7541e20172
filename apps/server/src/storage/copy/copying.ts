import { setImmediate } from "node:timers/promises";
import type { Kysely, Transaction } from "kysely";
import type { Database } from "../database/database.ts";
import { transact } from "../database/transact.ts";
import { InstallationError } from "../installation-error.ts";
import { requireMark } from "../migrations/unfinished-copy.ts";
import type { Schema } from "../tables/schema.ts";
import { countRows } from "./copied-rows.ts";
import type { CopiedTable, CopiedTableName } from "./copied-tables.ts";

/** How far a step of a copy is. */
export interface CopyProgress {
  readonly step: "comparing" | "copying" | "verifying";
  readonly table: CopiedTableName;
  /** Rows of the table that the step has done. */
  readonly done: number;
  readonly total: number;
}

export interface CopyListeners {
  /** Hears how far the copy is, after every thousand rows or so. */
  readonly onProgress?: (progress: CopyProgress) => void;
  /** Ends the copy once the rows under way are kept. */
  readonly signal?: AbortSignal;
}

/** A copy that is under way. */
export class Copying {
  /** Stands still as long as the copy is under way. */
  readonly source: Kysely<Schema>;
  readonly destination: Database;
  readonly #mark: string;
  readonly #listeners: CopyListeners;

  constructor(source: Kysely<Schema>, destination: Database, options: { mark: string; listeners: CopyListeners }) {
    this.source = source;
    this.destination = destination;
    this.#mark = options.mark;
    this.#listeners = options.listeners;
  }

  /**
   * Changes the destination in one transaction.
   *
   * @throws Error where it is another copy's by now
   */
  change(work: (transaction: Transaction<Schema>) => Promise<void>): Promise<void> {
    return transact(this.destination, async (transaction) => {
      await requireMark(transaction, this.destination.dialect, this.#mark);
      await work(transaction);
    });
  }

  /** Begins a step of a table, and gives what the step calls with the number of rows that it has done since the last time. */
  async begin(
    step: CopyProgress["step"],
    table: CopiedTable,
    connection = this.source,
  ): Promise<(rows: number) => Promise<void>> {
    const total = await countRows(connection, table);
    let done = 0;
    return async (rows) => {
      done += rows;
      this.#listeners.onProgress?.({ step, table: table.name, done, total });
      // An embedded database never lets the process look for signals by itself.
      await setImmediate();
      if (this.#listeners.signal?.aborted === true)
        throw new InstallationError("copy_stopped", "The copy was stopped.");
    };
  }
}
