import type { ChangeAuthor, CreateOptions, NewWebsite, WebsiteStore } from "@siteward/service";
import type {
  AccountSettings,
  AccountStore,
  ApiKeyStore,
  DeleteAccountOptions,
  NewApiKey,
  Storage,
} from "../../../src/storage/interface/storage.ts";
import { openStorage, type StorageOptions } from "../../../src/storage/open-storage.ts";

/** Who makes the changes of tests that do not say it. */
export const testAuthor: ChangeAuthor = { apiKey: "swk_testAuth", operator: null, requestId: "test" };

/** Storage whose changes need no author. */
export interface TestStorage extends Omit<Storage, "websites" | "accounts" | "apiKeys"> {
  readonly websites: TestWebsiteStore;
  readonly accounts: TestAccountStore;
  readonly apiKeys: TestApiKeyStore;
}

interface TestAccountStore extends Omit<AccountStore, "create" | "update" | "delete"> {
  create(account: AccountSettings, by?: ChangeAuthor): ReturnType<AccountStore["create"]>;
  update(id: number, change: Partial<AccountSettings>, by?: ChangeAuthor): ReturnType<AccountStore["update"]>;
  /** By default it does not wait for servers to notice that keys are revoked. */
  delete(id: number, options?: Partial<DeleteAccountOptions>): ReturnType<AccountStore["delete"]>;
}

interface TestApiKeyStore extends Omit<ApiKeyStore, "create" | "update" | "rotate" | "revoke"> {
  create(key: NewApiKey, by?: ChangeAuthor): ReturnType<ApiKeyStore["create"]>;
  update(
    prefix: string,
    decide: Parameters<ApiKeyStore["update"]>[1],
    by?: ChangeAuthor,
  ): ReturnType<ApiKeyStore["update"]>;
  rotate(
    prefix: string,
    decide: Parameters<ApiKeyStore["rotate"]>[1],
    by?: ChangeAuthor,
  ): ReturnType<ApiKeyStore["rotate"]>;
  revoke(prefix: string, by?: ChangeAuthor): ReturnType<ApiKeyStore["revoke"]>;
}

export interface TestWebsiteStore extends Omit<WebsiteStore, "create" | "update" | "delete"> {
  create(accountId: number, website: NewWebsite, options?: Partial<CreateOptions>): ReturnType<WebsiteStore["create"]>;
  update(
    accountId: number,
    id: number,
    decide: Parameters<WebsiteStore["update"]>[2],
    by?: ChangeAuthor,
  ): ReturnType<WebsiteStore["update"]>;
  delete(
    accountId: number,
    id: number,
    decide?: Parameters<WebsiteStore["delete"]>[2],
    by?: ChangeAuthor,
  ): Promise<boolean>;
}

/** Lets tests leave out who makes a change. */
export function withTestAuthor(storage: Storage): TestStorage {
  const { websites, accounts, apiKeys } = storage;
  return {
    ...storage,
    websites: websitesWithTestAuthor(websites),
    accounts: accountsWithTestAuthor(accounts),
    apiKeys: apiKeysWithTestAuthor(apiKeys),
  };
}

function accountsWithTestAuthor(accounts: AccountStore): TestAccountStore {
  return {
    ...accounts,
    create: (account, by = testAuthor) => accounts.create(account, by),
    update: (id, change, by = testAuthor) => accounts.update(id, change, by),
    delete: (id, options) => accounts.delete(id, { by: testAuthor, revocationMs: 0, ...options }),
  };
}

function apiKeysWithTestAuthor(apiKeys: ApiKeyStore): TestApiKeyStore {
  return {
    ...apiKeys,
    create: (key, by = testAuthor) => apiKeys.create(key, by),
    update: (prefix, decide, by = testAuthor) => apiKeys.update(prefix, decide, by),
    rotate: (prefix, decide, by = testAuthor) => apiKeys.rotate(prefix, decide, by),
    revoke: (prefix, by = testAuthor) => apiKeys.revoke(prefix, by),
  };
}

/** Lets tests leave out who changes a website. */
export function websitesWithTestAuthor(websites: WebsiteStore): TestWebsiteStore {
  return {
    ...websites,
    create: (accountId, website, options) =>
      websites.create(accountId, website, { by: testAuthor, idempotency: undefined, ...options }),
    update: (accountId, id, decide, by = testAuthor) => websites.update(accountId, id, decide, by),
    delete: (accountId, id, decide = () => undefined, by = testAuthor) => websites.delete(accountId, id, decide, by),
  };
}

/** Opens storage whose changes need no author. */
export async function openWithTestAuthor(options: StorageOptions): Promise<TestStorage> {
  return withTestAuthor(await openStorage(options));
}
