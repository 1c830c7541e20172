import type { WriteConnection } from "../database/database.ts";
import type { Step } from "./steps.ts";

/** A change of the database, ready to be run. */
export interface Change<Values, Row> {
  readonly steps: readonly Step<Values>[];
  /** The step whose row the change returns. */
  readonly result: string;
  /**
   * Keeps an index up to date that is not one of the engine's own. It is called only in turn: an engine that runs a change as
   * one statement maintains all indexes by itself.
   */
  readonly also?: (transaction: WriteConnection, values: Values, row: Row) => Promise<void>;
}

/** Runs a change. Returns undefined if a step found nothing to change. Then nothing was changed. */
export type Run<Values, Row> = (values: Values) => Promise<Row | undefined>;
