import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The account for which a change runs. An engine with one writer at a time lets the transactions of accounts take turns by
 * it. It is not a parameter, because Kysely acquires the connection of a transaction and passes nothing on to the driver.
 */
export const whoseTurn = new AsyncLocalStorage<number>();

/** The ids of accounts start at 1. A change without an account takes turns with the accounts. */
export const noAccount = 0;
