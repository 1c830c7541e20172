import type { Database } from "../engines/database.ts";
import type { Account, Attack } from "../row.ts";

/** What one storm after the other attacks: servers on one database. */
export interface StormTarget {
  readonly attack: Attack;
  readonly database: Database;
  readonly account: Account;
}
