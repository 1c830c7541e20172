import type { DialectDefinitions, WriteConnection } from "../database/database.ts";

/** A step from one version of the database to the next. Never change a published migration: correct it with a later one. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  /**
   * Also runs for a plan, on a connection that writes nothing. Its reads see the database as it was before all missing
   * migrations, or no rows if that has no tables. So it may read only what `initial` created.
   */
  up(transaction: WriteConnection, definitions: DialectDefinitions, nowMs: number): Promise<void>;
}
