import type { NewWebsite } from "@siteward/service";
import type { AccountStore } from "../../../src/storage/interface/storage.ts";
import { openStorage, type StorageOptions } from "../../../src/storage/open-storage.ts";
import type { TestDatabase, TestEngine } from "../engines.ts";
import { type TestStorage, testAuthor, withTestAuthor } from "./with-test-author.ts";

interface TestStorageOptions extends Omit<StorageOptions, "databaseUrl"> {
  /** Of the URL, such as `?pool_max_conns=3`. */
  readonly parameters?: string;
}

/** Opens storage on a new database of an engine. Disposing closes the storage and drops the database. */
export async function openTestStorage(
  engine: TestEngine,
  { parameters = "", ...options }: TestStorageOptions = {},
): Promise<TestStorage & AsyncDisposable & { readonly database: TestDatabase }> {
  const database = await engine({ isMigrated: true });
  const storage = await openStorage({ ...options, databaseUrl: `${database.databaseUrl}${parameters}` });
  return {
    ...withTestAuthor(storage),
    database,
    async [Symbol.asyncDispose]() {
      await storage.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

type CanCreate = Pick<AccountStore, "createAll">;

/** Creates an account, by default without a limit, and returns its id. */
export async function createTestAccount(
  storage: { readonly accounts: CanCreate },
  websiteLimit: number | null = null,
): Promise<number> {
  const account = { name: "Acme", email: "owner@acme.example", websiteLimit };
  const [{ id }] = await storage.accounts.createAll([account], testAuthor);
  return id;
}

export function newWebsite(domain: string, settings: Partial<NewWebsite> = {}): NewWebsite {
  return {
    domain,
    privacy: 0,
    email: 0,
    exclude_bots: 1,
    exclude_params: [],
    exclude_ips: [],
    passwordHash: null,
    ...settings,
  };
}
