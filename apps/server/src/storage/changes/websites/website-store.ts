import type { WebsiteStore } from "@siteward/service";
import type { Database } from "../../database/database.ts";
import { prepareFindCreated } from "../../reads/websites/find-created.ts";
import { prepareWebsiteGet } from "../../reads/websites/website-get.ts";
import { prepareWebsiteList } from "../../reads/websites/website-list.ts";
import { prepareWebsiteSearch } from "../../reads/websites/website-search.ts";
import { auditCreation } from "./audited-website.ts";
import { prepareChangeCurrent } from "./change-current.ts";
import { prepareWebsiteRemove } from "./website-remove.ts";
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
  const changeCurrent = prepareChangeCurrent(database);
  return {
    list: (accountId, request) => {
      const term = request.search?.trim() ?? "";
      return term === "" ? list(accountId, request) : search(accountId, { ...request, search: term });
    },
    get: prepareWebsiteGet(database),
    create: (accountId, website, { by, idempotency }) => {
      const audit = { by, changes: auditCreation(website) };
      return writer.createWebsite({ accountId, website, audit, idempotency, at: database.now() });
    },
    findCreated: prepareFindCreated(database),
    update: prepareWebsiteUpdate(database, changeCurrent, (replacement) => writer.replaceWebsite(replacement)),
    delete: prepareWebsiteRemove(database, changeCurrent, (deletion) => writer.deleteWebsite(deletion)),
  };
}
