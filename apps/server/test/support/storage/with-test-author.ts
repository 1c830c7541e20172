import { openStorage, type StorageOptions } from "../../../src/storage/open-storage.ts";
import type { ChangeAuthor, CreateOptions, NewWebsite, Storage, WebsiteStore } from "../../../src/storage/storage.ts";

/** Who makes the changes of tests that do not say it. */
export const testAuthor: ChangeAuthor = { apiKey: "swk_testAuth", operator: null, requestId: "test" };

/** Storage whose changes need no author. */
export interface TestStorage extends Omit<Storage, "websites"> {
  readonly websites: TestWebsiteStore;
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
  return { ...storage, websites: websitesWithTestAuthor(storage.websites) };
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
