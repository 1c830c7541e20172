import type { Database } from "../../database/database.ts";
import { type Placeholder, type Prepared, prepare } from "../../database/prepare.ts";
import type { WebsiteChange } from "../../storage.ts";
import type { StorageWriter, WebsiteKey } from "../../storage-writer.ts";
import { websiteRecord } from "../../tables/websites.ts";
import type { WebsiteRow } from "./website-row.ts";

type ChangedColumns = ReturnType<typeof toStored>;
type Values = WebsiteKey & ChangedColumns & { expectedVersion: number; version: number; updated_at: number };

/** Changes a website if it still has the version that the change was decided on. */
export function prepareWebsiteReplace(database: Database): StorageWriter["replaceWebsite"] {
  const statements = new StatementPerColumns(database);
  return async ({ accountId, id, expectedVersion, change, at, discardsPassword }) => {
    const changed = toStored(change);
    const replace = statements.find(changed);
    const stamp = { version: expectedVersion + 1, updated_at: at };
    const replaced = await database.writeOne(replace({ ...changed, ...stamp, accountId, id, expectedVersion }));
    const isReplaced = replaced.length > 0;
    if (isReplaced && discardsPassword) database.eraseDeletedSoon();
    return isReplaced;
  };
}

function toStored({ passwordHash, ...settings }: WebsiteChange) {
  return websiteRecord.toStored(passwordHash === undefined ? settings : { ...settings, password_hash: passwordHash });
}

/** One prepared statement for each set of columns that has been changed together, of at most 2⁶. */
class StatementPerColumns {
  readonly #database: Database;
  readonly #statements = new Map<string, Prepared<Values, Pick<WebsiteRow, "id">>>();

  constructor(database: Database) {
    this.#database = database;
  }

  find(changed: ChangedColumns): Prepared<Values, Pick<WebsiteRow, "id">> {
    // Sorted, because clients send fields in any order. The cast is safe: `toStored` sets only columns.
    const names = Object.keys(changed).toSorted() as (keyof ChangedColumns)[];
    const key = names.join();
    const known = this.#statements.get(key);
    if (known !== undefined) return known;
    const statement = prepareReplace(this.#database, names);
    this.#statements.set(key, statement);
    return statement;
  }
}

function prepareReplace({ build }: Database, names: readonly (keyof ChangedColumns)[]) {
  return prepare((value: Placeholder<Values>) =>
    build
      .updateTable("websites")
      .set(Object.fromEntries([...names, "version" as const, "updated_at" as const].map((name) => [name, value(name)])))
      .where("account_id", "=", value("accountId"))
      .where("id", "=", value("id"))
      .where("version", "=", value("expectedVersion"))
      .returning("id"),
  );
}
