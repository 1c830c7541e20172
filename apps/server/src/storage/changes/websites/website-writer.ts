import type { Database } from "../../database/database.ts";
import type { StorageWriter } from "../storage-writer.ts";
import { prepareWebsiteCreate } from "./website-create.ts";
import { prepareWebsiteDelete } from "./website-delete.ts";
import { prepareWebsiteReplace } from "./website-replace.ts";

/** The changes of websites. */
export type WebsiteWriter = Pick<StorageWriter, "createWebsite" | "replaceWebsite" | "deleteWebsite">;

/** Creates the operations that change websites. */
export function createWebsiteWriter(database: Database): WebsiteWriter {
  return {
    createWebsite: prepareWebsiteCreate(database),
    replaceWebsite: prepareWebsiteReplace(database),
    deleteWebsite: prepareWebsiteDelete(database),
  };
}
