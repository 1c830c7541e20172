import { expect, it } from "vitest";
import { describeOnEveryDatabase } from "../../../test/support/engines.ts";
import { createTestAccount, openTestStorage } from "../../../test/support/storage/open-test-storage.ts";
import { openDatabase } from "../database/open-database.ts";
import { migrations, newestVersion } from "../migrations/migrations.ts";
import { requireCopyable } from "./require-copyable.ts";

const newest = newestVersion;

describeOnEveryDatabase("a source", (engine) => {
  it("at an older version than the program is refused", async () => {
    await using storage = await openTestStorage(engine);
    await createTestAccount(storage);
    const database = await openDatabase(storage.database);
    await requireCopyable(database.primary, database.dialect);
    const later = { version: newest + 1, name: "later", sql: () => [] };
    await expect(requireCopyable(database.primary, database.dialect, [...migrations, later])).rejects.toMatchObject({
      code: "source_outdated",
      message: `The source is at version ${newest}, and this program at version ${newest + 1}.`,
    });
    await database.close();
  });
});
