import { DatabaseSync } from "node:sqlite";
import { databaseBusy, outcomeUnknown } from "@siteward/service";
import { expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { openDatabase } from "./database.ts";

it("retries a transaction that conflicts with others, but never one whose outcome is unknown", async () => {
  await using place = await engines.sqlite();
  const database = await openDatabase(place);
  const runs: string[] = [];
  const run = (name: string, toError: (cause: unknown) => Error) =>
    database.write(async () => {
      runs.push(name);
      if (runs.length < 3) throw toError(findBusyError(place.path));
      return "done";
    });
  await expect(run("unknown", outcomeUnknown)).rejects.toMatchObject({ reason: "outcome_unknown" });
  expect(await run("busy", databaseBusy)).toBe("done");
  expect(runs).toEqual(["unknown", "busy", "busy"]);
  await database.close();
});

/** Returns the error that SQLite throws to a second writer. The transaction of `write` is open at this time. */
function findBusyError(path: string): unknown {
  using other = new DatabaseSync(path, { timeout: 0 });
  try {
    return other.exec("begin immediate");
  } catch (error) {
    return error;
  }
}
