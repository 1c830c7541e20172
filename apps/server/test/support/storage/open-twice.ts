import type { DatabaseOptions } from "../../../src/storage/database/open-database.ts";
import type { TestDatabase, TestEngine } from "../test-database.ts";
import { openTestStorage } from "./open-test-storage.ts";
import { openWithTestAuthor, type TestStorage, type TestWebsiteStore } from "./with-test-author.ts";

interface StorageOfTwo extends TestStorage, AsyncDisposable {
  readonly database: TestDatabase;
  /** The websites of the first process for even numbers, and of the second for odd ones. */
  either(index: number): TestWebsiteStore;
}

/** Opens storage twice on a new database, as two processes do. */
export async function openTwice(
  engine: TestEngine,
  options: Omit<DatabaseOptions, "databaseUrl"> = {},
): Promise<StorageOfTwo> {
  const first = await openTestStorage(engine, options);
  const { databaseUrl, writesOnThread = false } = first.database;
  const second = await openWithTestAuthor({ ...options, databaseUrl, writesOnThread });
  return {
    ...first,
    either: (index) => (index % 2 === 0 ? first.websites : second.websites),
    async [Symbol.asyncDispose]() {
      await second.close();
      await first[Symbol.asyncDispose]();
    },
  };
}
