import { whoseTurn } from "../dialects/whose-turn.ts";

/** Returns the function as one that runs in the turn of the account, which is its first argument. */
export function inTurnOfAccount<Rest extends readonly unknown[], Result>(
  operate: (accountId: number, ...rest: Rest) => Result,
): (accountId: number, ...rest: Rest) => Result {
  return (accountId, ...rest) => whoseTurn.run(accountId, operate, accountId, ...rest);
}
