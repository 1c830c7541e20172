import { whoseTurn } from "../dialects/whose-turn.ts";
import type { Database } from "./database.ts";

/**
 * Returns the function as one whose reads run in the turn of the account, which is its first argument. The turn of a change is set by
 * `CallChange`. On SQLite, where no read waits for a turn, this would make a read of one website take 10 % longer.
 */
export function inTurnOfAccount<Rest extends readonly unknown[], Result>(
  { readsTakeTurns }: Pick<Database, "readsTakeTurns">,
  operate: (accountId: number, ...rest: Rest) => Result,
): (accountId: number, ...rest: Rest) => Result {
  return readsTakeTurns ? (accountId, ...rest) => whoseTurn.run(accountId, operate, accountId, ...rest) : operate;
}
