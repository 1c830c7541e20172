import type { ChangeAuthor, CreateOptions, NewWebsite, WebsiteStore } from "@siteward/service";
import type {
  AccountSettings,
  AccountStore,
  ApiKeyStore,
  NewApiKey,
  Storage,
} from "../../src/storage/interface/storage.ts";
import { openStorage, type StorageOptions } from "../../src/storage/open-storage.ts";
import type { TestDatabase, TestEngine } from "./engines.ts";

interface TestStorageOptions extends Omit<StorageOptions, "databaseUrl"> {
  /** Of the URL, such as `?pool_max_conns=3`. */
  readonly parameters?: string;
}

/** Opens storage on a new database of an engine. Disposing closes the storage and drops the database. */
export async function openTestStorage(
  engine: TestEngine,
  { parameters = "", ...options }: TestStorageOptions = {},
): Promise<TestStorage & { readonly database: TestDatabase }> {
  const database = await engine({ isMigrated: true });
  const storage = await openWithTestAuthor({ ...options, databaseUrl: `${database.databaseUrl}${parameters}` });
  return {
    ...storage,
    database,
    async [Symbol.asyncDispose]() {
      await storage.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** The account of `openTestAccount`. */
export const accountId = 1;

/** Opens storage on a new database with one account without a limit. */
export async function openTestAccount(engine: TestEngine, options?: TestStorageOptions) {
  const storage = await openTestStorage(engine, options);
  await createTestAccount(storage);
  return storage;
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

/** Opens storage whose changes need no author. */
export async function openWithTestAuthor(options: StorageOptions): Promise<TestStorage> {
  return withTestAuthor(await openStorage(options));
}

/** Who makes the changes of tests that do not say it. */
export const testAuthor: ChangeAuthor = { apiKey: "swk_testAuth", operator: null, requestId: "test" };

/** Storage whose changes need no author. */
export type TestStorage = ReturnType<typeof withTestAuthor>;
export type TestWebsiteStore = ReturnType<typeof websitesWithTestAuthor>;

/** Lets tests leave out who makes a change. */
export function withTestAuthor(storage: Storage) {
  const { websites, accounts, apiKeys } = storage;
  return {
    ...storage,
    [Symbol.asyncDispose]: () => storage.close(),
    websites: websitesWithTestAuthor(websites),
    accounts: {
      ...accounts,
      create: async (account: AccountSettings, by = testAuthor) => (await accounts.createAll([account], by))[0],
    },
    apiKeys: {
      ...apiKeys,
      async create(key: NewApiKey, by = testAuthor) {
        const created = await apiKeys.createAll([key], by);
        return typeof created === "number" ? undefined : created[0];
      },
      rotate: (prefix: string, decide: Parameters<ApiKeyStore["rotate"]>[1], by = testAuthor) =>
        apiKeys.rotate(prefix, decide, by),
      revoke: (prefix: string, by = testAuthor) => apiKeys.revoke(prefix, by),
    },
  };
}

/** Lets tests leave out who changes a website. */
export function websitesWithTestAuthor(websites: WebsiteStore) {
  type Decide<Change extends "update" | "delete"> = Parameters<WebsiteStore[Change]>[2];
  return {
    ...websites,
    create: (accountId: number, website: NewWebsite, options: Partial<CreateOptions> = {}) =>
      websites.create(accountId, website, { by: testAuthor, idempotency: undefined, ...options }),
    update: (accountId: number, id: number, decide: Decide<"update">, by = testAuthor) =>
      websites.update(accountId, id, decide, by),
    delete: (accountId: number, id: number, decide: Decide<"delete"> = () => undefined, by = testAuthor) =>
      websites.delete(accountId, id, decide, by),
  };
}
