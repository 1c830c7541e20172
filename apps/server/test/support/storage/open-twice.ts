import type { DatabaseOptions } from "../../../src/storage/database/open-database.ts";
import type { TestEngine } from "../test-database.ts";
import { openTestStorage } from "./open-test-storage.ts";
import { openWithTestAuthor, type TestWebsiteStore } from "./with-test-author.ts";

/** Opens storage twice on a new database, as two processes do. */
export async function openTwice(engine: TestEngine, options: Omit<DatabaseOptions, "databaseUrl"> = {}) {
  const first = await openTestStorage(engine, options);
  const { databaseUrl, writesOnThread = false } = first.database;
  const second = await openWithTestAuthor({ ...options, databaseUrl, writesOnThread });
  return {
    ...first,
    /** The websites of the first process for even numbers, and of the second for odd ones. */
    either: (index: number): TestWebsiteStore => (index % 2 === 0 ? first.websites : second.websites),
    async [Symbol.asyncDispose]() {
      await second.close();
      await first[Symbol.asyncDispose]();
    },
  };
}
