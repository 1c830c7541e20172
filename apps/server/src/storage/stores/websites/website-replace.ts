import type { Database } from "../../database/database.ts";
import type { WebsiteChange } from "../../storage.ts";
import type { StorageWriter } from "../../storage-writer.ts";
import { websiteRecord } from "../../tables/websites.ts";

/** Changes a website if it still has the version that the change was decided on. */
export function prepareWebsiteReplace(database: Database): StorageWriter["replaceWebsite"] {
  const { build, writeOne } = database;
  return async ({ accountId, id, expectedVersion, change, at, discardsPassword }) => {
    const statement = build
      .updateTable("websites")
      .set({ ...toStored(change), version: expectedVersion + 1, updated_at: at })
      .where("account_id", "=", accountId)
      .where("id", "=", id)
      .where("version", "=", expectedVersion)
      .returning("id");
    const isReplaced = (await writeOne(statement)).length > 0;
    if (isReplaced && discardsPassword) database.eraseDeletedSoon();
    return isReplaced;
  };
}

function toStored({ passwordHash, ...settings }: WebsiteChange) {
  return websiteRecord.toStored(passwordHash === undefined ? settings : { ...settings, password_hash: passwordHash });
}
