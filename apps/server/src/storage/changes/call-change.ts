import type { Database } from "../database/database.ts";
import { noAccount, whoseTurn } from "../dialects/whose-turn.ts";
import { prepareRecordKeyUse } from "./api-keys/record-key-use.ts";
import { prepareDeleteExpired } from "./retention/delete-expired.ts";
import { prepareCreateWebsite } from "./websites/create-website.ts";
import { prepareDeleteWebsite } from "./websites/delete-website.ts";
import { prepareUpdateWebsite } from "./websites/update-website.ts";

/**
 * The changes that a server makes while it serves. Their arguments and results are plain data, so that another thread can make
 * them. To add one, add its line here.
 */
function prepareChanges(database: Database) {
  return {
    createWebsite: prepareCreateWebsite(database),
    updateWebsite: prepareUpdateWebsite(database),
    deleteWebsite: prepareDeleteWebsite(database),
    recordKeyUse: prepareRecordKeyUse(database),
    deleteExpired: prepareDeleteExpired(database),
    checkWritable: (_: undefined) => database.checkWritable(),
  };
}

type Changes = ReturnType<typeof prepareChanges>;

/**
 * Makes a change.
 *
 * @param accountId the account in whose turn the change is made. A change without one takes turns with the accounts.
 */
export type CallChange = <Name extends keyof Changes>(
  name: Name,
  argument: Parameters<Changes[Name]>[0],
  accountId?: number,
) => ReturnType<Changes[Name]>;

/** Returns a function that makes changes on this thread. */
export function callHere(database: Database): CallChange {
  const changes = prepareChanges(database);
  return (name, argument, accountId = noAccount) => {
    // The casts are safe: the argument and the result are those of the change with this name.
    const change = changes[name] as (argument: unknown) => unknown;
    return whoseTurn.run(accountId, change, argument) as ReturnType<Changes[typeof name]>;
  };
}
