import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import type { WebsiteChange, WebsiteStore } from "../../storage.ts";
import { columnNames, isDifferent } from "../../tables/table.ts";
import { websiteRecord, websites } from "../../tables/websites.ts";

/** Reads a record, passes it to `decide`, and writes the change, in one transaction. */
export function prepareWebsiteUpdate(database: Database): WebsiteStore["update"] {
  const { build, write } = database;
  const findForUpdate = prepareFindForUpdate(database);
  return async (accountId, id, decide) => {
    let discardsPassword = false;
    const updated = await write(async (transaction) => {
      const [current] = await transaction.read(findForUpdate({ accountId, id }));
      if (current === undefined) return undefined;
      const website = websiteRecord.fromRow(current);
      const change = toStored(decide(website));
      const changed = { ...current, ...change };
      if (!isDifferent(current, changed)) return { website, version: current.version };
      // The time never decreases, even if the clock goes backwards.
      const stamp = { version: current.version + 1, updated_at: Math.max(database.now(), current.updated_at) };
      const statement = build.updateTable("websites").set({ ...change, ...stamp });
      await transaction.write(statement.where("account_id", "=", accountId).where("id", "=", id));
      discardsPassword = current.password_hash !== null && current.password_hash !== changed.password_hash;
      return { website: websiteRecord.fromRow({ ...changed, ...stamp }), version: stamp.version };
    });
    if (discardsPassword) database.eraseDeletedSoon();
    return updated;
  };
}

function prepareFindForUpdate({ build, dialect }: Database) {
  return prepare((value: Placeholder<{ accountId: number; id: number }>) =>
    build
      .selectFrom("websites")
      .select(columnNames(websites))
      .where("account_id", "=", value("accountId"))
      .where("id", "=", value("id"))
      .modifyEnd(dialect.forUpdate),
  );
}

function toStored({ passwordHash, ...settings }: WebsiteChange) {
  return websiteRecord.toStored(passwordHash === undefined ? settings : { ...settings, password_hash: passwordHash });
}
