import type { ChangePosition, VersionedWebsite, WebsiteStore } from "@siteward/service";
import { sql } from "kysely";
import type { Database } from "../engine/database.ts";
import { type Placeholder, prepare } from "../engine/prepare.ts";
import { select } from "../engine/select.ts";
import { combineSelections, type Selection, selectValue } from "../tables/selection.ts";
import { websiteRecord } from "../tables/websites.ts";

export const versionedWebsite = combineSelections({
  website: websiteRecord.selection,
  version: selectValue(sql.ref("websites.version").as("version"), Number),
}) satisfies Selection<VersionedWebsite>;

/** Selects the position after the newest change of an account. */
export const newestChange: Selection<ChangePosition> = combineSelections({
  number: selectValue(sql.ref("accounts.change_count").as("change_count"), Number),
  at: selectValue(sql.ref("accounts.changed_at").as("changed_at"), Number),
});

/** Of an account that does not exist. */
export const noChanges: ChangePosition = { number: 0, at: 0 };

export function prepareWebsiteGet({
  build,
  readUpToDate,
}: Pick<Database, "build" | "readUpToDate">): WebsiteStore["get"] {
  const findById = prepare((value: Placeholder<{ accountId: number; id: number }>) => {
    const website = build.selectFrom("websites").where("account_id", "=", value("accountId"));
    return select(versionedWebsite, website.where("id", "=", value("id")));
  });
  return async (accountId, id) => {
    const query = findById({ accountId, id });
    const [found] = await readUpToDate((reader) => reader.read(query));
    return found;
  };
}
