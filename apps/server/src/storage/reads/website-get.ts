import type { WebsiteStore } from "@siteward/service";
import type { Database } from "../engine/database.ts";
import { prepared, sql } from "../engine/statement.ts";
import { readVersioned, versionedColumns } from "../tables/websites.ts";

const findById = prepared(
  sql`select ${versionedColumns} from websites where account_id = :accountId and id = :id`,
  (rows) => rows.map(readVersioned),
);

export function prepareWebsiteGet({ readUpToDate }: Pick<Database, "readUpToDate">): WebsiteStore["get"] {
  return async (accountId, id) => {
    const [found] = await readUpToDate((reader) => reader.read(findById, { accountId, id }));
    return found;
  };
}
