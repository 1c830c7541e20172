import type { Database } from "../engine/database.ts";
import type { CallChange as CallChangeOf } from "../engine/writer-thread.ts";
import { prepareDeleteWebsite, prepareUpdateWebsite } from "./change-website.ts";
import { prepareCreateWebsite } from "./create-website.ts";
import { prepareDeleteExpired } from "./delete-expired.ts";
import { prepareRecordKeyUse } from "./record-key-use.ts";

/** What a server changes while it serves. Arguments and results are plain data, so that another thread can do it. */
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

export type Changes = ReturnType<typeof prepareChanges>;
export type CallChange = CallChangeOf<Changes>;

export function callHere(database: Database): CallChange {
  const changes = prepareChanges(database);
  return (name, argument) => {
    // The casts are safe: the argument and the result are those of the change with this name.
    const change = changes[name] as (argument: unknown) => unknown;
    return change(argument) as ReturnType<Changes[typeof name]>;
  };
}
