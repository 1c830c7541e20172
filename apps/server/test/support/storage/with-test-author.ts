import type { ChangeAuthor, CreateOptions, NewWebsite, WebsiteStore } from "@siteward/service";
import type { AccountSettings, ApiKeyStore, NewApiKey, Storage } from "../../../src/storage/interface/storage.ts";
import { openStorage, type StorageOptions } from "../../../src/storage/open-storage.ts";

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

/** Opens storage whose changes need no author. */
export async function openWithTestAuthor(options: StorageOptions): Promise<TestStorage> {
  return withTestAuthor(await openStorage(options));
}
