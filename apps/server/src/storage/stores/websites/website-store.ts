import type { Database } from "../../database/database.ts";
import type { WebsiteStore } from "../../storage.ts";
import { prepareWebsiteGet } from "./website-get.ts";
import { prepareWebsiteList } from "./website-list.ts";
import { prepareWebsiteSearch } from "./website-search.ts";
import { prepareWebsiteUpdate } from "./website-update.ts";
import { createWebsiteWriter, type WebsiteWriter } from "./website-writer.ts";

/**
 * Creates the store of websites.
 *
 * @param writer makes the changes. By default they are made through `database`.
 */
export function createWebsiteStore(
  database: Database,
  writer: WebsiteWriter = createWebsiteWriter(database),
): WebsiteStore {
  const list = prepareWebsiteList(database);
  const search = prepareWebsiteSearch(database);
  return {
    list: (accountId, request) => {
      const term = request.search?.trim() ?? "";
      return term === "" ? list(accountId, request) : search(accountId, { ...request, search: term });
    },
    get: prepareWebsiteGet(database),
    create: (accountId, website) => writer.createWebsite({ accountId, website, at: database.now() }),
    update: prepareWebsiteUpdate(database, (replacement) => writer.replaceWebsite(replacement)),
    delete: (accountId, id) => writer.deleteWebsite({ accountId, id }),
  };
}
