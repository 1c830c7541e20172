import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { startSqliteEngine } from "../src/engines/sqlite-engine.ts";
import { operate } from "../src/processes/server-program.ts";

test("a database that keeps no audit entries ignores those of the server, until it keeps them again", async () => {
  await using engine = await startSqliteEngine();
  const { url, keepAuditEntries } = await engine.createDatabase(0);
  using database = new DatabaseSync(url.slice("file:".length));
  const addedByChange = async () => {
    const count = database.prepare("select count(*) as entries from audit_entries");
    const before = Number(count.get()?.["entries"]);
    await operate(url, ["keys", "create", "--account", "1", "--name", "another"]);
    return Number(count.get()?.["entries"]) - before;
  };
  await keepAuditEntries(false);
  expect(await addedByChange()).toBe(0);
  await keepAuditEntries(true);
  expect(await addedByChange()).toBe(1);
});
