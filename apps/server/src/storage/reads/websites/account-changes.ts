import type { ChangePosition } from "@siteward/service";
import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import { select } from "../../database/select.ts";
import { combineSelections, type Selection, selectValue } from "../../tables/selection.ts";

/** The position after the newest change of an account. */
export const newestChange: Selection<ChangePosition> = combineSelections({
  number: selectValue(sql.ref("accounts.change_count").as("change_count"), Number),
  at: selectValue(sql.ref("accounts.changed_at").as("changed_at"), Number),
});

/** Returns a function that reads the position after the newest change of an account. */
export function prepareFindNewestChange({
  build,
  readUpToDate,
}: Pick<Database, "build" | "readUpToDate">): (accountId: number) => Promise<ChangePosition> {
  const find = prepare((value: Placeholder<{ accountId: number }>) =>
    select(newestChange, build.selectFrom("accounts").where("id", "=", value("accountId"))),
  );
  return async (accountId) => {
    const [newest] = await readUpToDate((reader) => reader.read(find({ accountId })));
    return newest ?? noChanges;
  };
}

/** Of an account that does not exist. */
export const noChanges: ChangePosition = { number: 0, at: 0 };
