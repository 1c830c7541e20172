import type { Database } from "../../database/database.ts";
import type { WebsiteStore } from "../../storage.ts";
import { prepareWebsiteCreate } from "./website-create.ts";
import { prepareWebsiteDelete } from "./website-delete.ts";
import { prepareWebsiteGet } from "./website-get.ts";
import { prepareWebsiteList } from "./website-list.ts";
import { prepareWebsiteSearch } from "./website-search.ts";
import { prepareWebsiteUpdate } from "./website-update.ts";

/** Creates the store of websites. */
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
