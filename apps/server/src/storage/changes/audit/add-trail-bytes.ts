import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";

/** What the changes of an account have left in the audit trail. */
export interface TrailBytes {
  readonly accountId: number;
  /** The day (UTC), counted from 1970-01-01. */
  readonly day: number;
  readonly bytes: number;
}

/**
 * Adds to what an account has left in a day. Returns the total of the day, or 0 if the account does not exist. The day that was
 * counted last wins, also if it is an earlier one: a machine whose clock was ahead must not refuse changes until its day comes.
 */
export function prepareAddTrailBytes({ build, writeOne }: Database): (left: TrailBytes) => Promise<number> {
  const add = prepare((value: Placeholder<TrailBytes>) =>
    build
      .updateTable("accounts")
      .set({
        trail_day: value("day"),
        trail_bytes: sql`case when trail_day = ${value("day")} then trail_bytes else 0 end + ${value("bytes")}`,
      })
      .where("id", "=", value("accountId"))
      .returning("trail_bytes as total"),
  );
  return async (left) => {
    const [account] = await writeOne<{ total: number }>(add(left));
    return account?.total ?? 0;
  };
}
