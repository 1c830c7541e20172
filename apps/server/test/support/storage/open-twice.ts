import type { StorageOptions } from "../../../src/storage/open-storage.ts";
import type { TestDatabase, TestEngine } from "../test-database.ts";
import type { AnyStorage } from "./any-storage.ts";
import { openTestStorage } from "./open-test-storage.ts";
import { openWithTestAuthor } from "./with-test-author.ts";

/** Opens storage twice on a new database, as two processes do. */
export async function openTwice(
  engine: TestEngine,
  options: Omit<StorageOptions, "databaseUrl"> = {},
): Promise<AnyStorage & { readonly database: TestDatabase }> {
  const first = await openTestStorage(engine, options);
  const { databaseUrl, writesOnThread = false } = first.database;
  const second = await openWithTestAuthor({ ...options, databaseUrl, writesOnThread });
  return {
    ...first,
    findFaults: () => first.database.findFaults(),
    either: (index) => (index % 2 === 0 ? first.websites : second.websites),
    async [Symbol.asyncDispose]() {
      await second.close();
      await first[Symbol.asyncDispose]();
    },
  };
}
