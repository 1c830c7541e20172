import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The account for which storage works. Accounts take turns by it at the connections of an engine. It is not
 * a parameter, because what is between a change and its connection knows nothing of accounts.
 */
export const whoseTurn = new AsyncLocalStorage<number>();

/** The ids of accounts start at 1. Work without an account takes turns with the accounts. */
export const noAccount = 0;
