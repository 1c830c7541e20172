import { expect, it } from "vitest";
import { createTestAccount, openTestStorage } from "../../../test/storage/open-test-storage.ts";
import { describeOnEveryEngine } from "../../../test/support/engines.ts";
import { openDatabase } from "../database/open-database.ts";
import { migrations } from "../migrations/migrations.ts";
import { requireCopyable } from "./require-copyable.ts";

const newest = migrations.length;

describeOnEveryEngine("a source", (engine) => {
  it("that is older than the program is refused, with the command that mends it", async () => {
    await using storage = await openTestStorage(engine);
    await createTestAccount(storage);
    const { read, dialect, close } = await openDatabase(storage.database);
    await requireCopyable(read, dialect);
    const later = { version: newest + 1, name: "later", up: () => Promise.resolve() };
    await expect(requireCopyable(read, dialect, [...migrations, later])).rejects.toThrow(
      `The source is at version ${newest} and this program at ${newest + 1}; run \`siteward-server migrate\` on it first.`,
    );
    await close();
  });
});
