import type { Database } from "../engines/database.ts";
import type { Account, Attack } from "../row.ts";

/** What each storm attacks: a server on the same database. */
export interface StormTarget {
  readonly attack: Attack;
  readonly database: Database;
  readonly account: Account;
}
