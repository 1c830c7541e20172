import { expect, it } from "vitest";
import { engines } from "../../../../test/support/engines.ts";
import { openDatabase } from "../../database/open-database.ts";
import { whoseTurn } from "../../dialects/whose-turn.ts";
import { createWebsiteStore } from "./website-store.ts";

it.each([
  // Nothing waits at its connections that read, and to note the account takes longer than a tenth of a read.
  { engine: "sqlite", turn: undefined },
  { engine: "postgres", turn: 7 },
] as const)("reads of an account take its turn if its engine has turns for reads ($engine)", async (expected) => {
  await using place = await engines[expected.engine]({ isMigrated: true });
  const database = await openDatabase(place);
  const turns: (number | undefined)[] = [];
  const { get } = createWebsiteStore({
    ...database,
    readUpToDate(work) {
      turns.push(whoseTurn.getStore());
      return database.readUpToDate(work);
    },
  });
  expect(await get(7, 1)).toBeUndefined();
  expect(turns).toEqual([expected.turn]);
  await database.close();
});
