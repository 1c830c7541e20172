import type { ChangePosition } from "@siteward/service";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import { select } from "../../database/select.ts";
import { combineSelections, type Selection, selectValue } from "../../tables/selection.ts";

/** The expressions of the columns of an account that say how many changes it has. */
interface CountColumns {
  readonly number: RawBuilder<unknown>;
  readonly at: RawBuilder<unknown>;
}

/** Selects the position after the newest change of an account. */
export function selectNewestChange({ number, at }: CountColumns = ofAccounts): Selection<ChangePosition> {
  return combineSelections({
    number: selectValue(number.as("change_count"), Number),
    at: selectValue(at.as("changed_at"), Number),
  });
}

const ofAccounts: CountColumns = { number: sql.ref("accounts.change_count"), at: sql.ref("accounts.changed_at") };

/** Returns a function that reads the position after the newest change of an account. */
export function prepareFindNewestChange({
  build,
  readUpToDate,
}: Pick<Database, "build" | "readUpToDate">): (accountId: number) => Promise<ChangePosition> {
  const find = prepare((value: Placeholder<{ accountId: number }>) =>
    select(selectNewestChange(), build.selectFrom("accounts").where("id", "=", value("accountId"))),
  );
  return async (accountId) => {
    const [newest] = await readUpToDate((reader) => reader.read(find({ accountId })));
    return newest ?? noChanges;
  };
}

/** Of an account that does not exist. */
export const noChanges: ChangePosition = { number: 0, at: 0 };
