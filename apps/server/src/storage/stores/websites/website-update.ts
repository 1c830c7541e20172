import type { Database } from "../../database/database.ts";
import { type Placeholder, prepareQuery } from "../../database/prepared-query.ts";
import { transact } from "../../database/transact.ts";
import type { WebsiteChange, WebsiteStore } from "../../storage.ts";
import { isDifferent } from "../is-different.ts";
import { hasPassword, toWebsite, websiteColumns } from "./website-row.ts";

/** Reads the record, lets the caller decide, and writes what differs, in one transaction. */
export function prepareWebsiteUpdate(database: Database): WebsiteStore["update"] {
  const find = prepareFind(database);
  return async (accountId, id, decide) => {
    let forgetsPassword = false;
    const updated = await transact(database, async (transaction) => {
      const [current] = await find(transaction, { accountId, id });
      if (current === undefined) return undefined;
      const website = toWebsite(current);
      const change = toColumns(decide(website));
      const changed = { ...current, ...change };
      if (!isDifferent(current, changed)) return { website, version: current.version };
      // A time never goes back, even when the clock does.
      const stamp = { version: current.version + 1, updated_at: Math.max(database.now(), current.updated_at) };
      await transaction
        .updateTable("websites")
        .set({ ...change, ...stamp })
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .execute();
      forgetsPassword = current.password_hash !== null && current.password_hash !== changed.password_hash;
      const row = { ...changed, ...stamp, has_password: changed.password_hash !== null };
      return { website: toWebsite(row), version: row.version };
    });
    if (forgetsPassword) database.eraseSoon();
    return updated;
  };
}

function prepareFind({ write, dialect }: Database) {
  return prepareQuery((argument: Placeholder<{ accountId: number; id: number }>) =>
    write
      .selectFrom("websites")
      .select([...websiteColumns, "version", "password_hash"])
      .select(hasPassword().as("has_password"))
      .where("account_id", "=", argument("accountId"))
      .where("id", "=", argument("id"))
      .modifyEnd(dialect.forUpdate),
  );
}

/** The columns that a change names. */
function toColumns({ passwordHash, exclude_params, exclude_ips, ...settings }: WebsiteChange) {
  return {
    ...settings,
    ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
    ...(exclude_params === undefined ? {} : { exclude_params: JSON.stringify(exclude_params) }),
    ...(exclude_ips === undefined ? {} : { exclude_ips: JSON.stringify(exclude_ips) }),
  };
}
