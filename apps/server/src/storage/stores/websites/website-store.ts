import type { Database } from "../../database/database.ts";
import { type Placeholder, prepareBinding } from "../../database/prepared-query.ts";
import type { VersionedWebsite, WebsiteStore } from "../../storage.ts";
import { prepareWebsiteCreate } from "./website-create.ts";
import { prepareWebsiteDelete } from "./website-delete.ts";
import { prepareWebsiteList } from "./website-list.ts";
import { hasPassword, readWebsiteRow, toWebsite, websiteColumns } from "./website-row.ts";
import { prepareWebsiteSearch } from "./website-search.ts";
import { prepareWebsiteUpdate } from "./website-update.ts";

/** Keeps the websites of every account in the database. */
export function createWebsiteStore(database: Database): WebsiteStore {
  const list = prepareWebsiteList(database);
  const search = prepareWebsiteSearch(database);
  return {
    list: (accountId, request) => {
      const term = request.search?.trim() ?? "";
      return term === "" ? list(accountId, request) : search(accountId, { ...request, search: term });
    },
    get: prepareWebsiteGet(database),
    create: prepareWebsiteCreate(database),
    update: prepareWebsiteUpdate(database),
    delete: prepareWebsiteDelete(database),
  };
}

function prepareWebsiteGet({ read, reading }: Database): WebsiteStore["get"] {
  const find = prepareBinding((argument: Placeholder<{ accountId: number; id: number }>) =>
    read
      .selectFrom("websites")
      .select([...websiteColumns, hasPassword().as("has_password"), "version"])
      .where("account_id", "=", argument("accountId"))
      .where("id", "=", argument("id")),
  );
  return async (accountId, id): Promise<VersionedWebsite | undefined> => {
    const query = find({ accountId, id });
    const [row] = await reading(({ direct }) => direct.readValues(query));
    return row === undefined ? undefined : { website: toWebsite(readWebsiteRow(row)), version: Number(row.at(-1)) };
  };
}
