import { MemoryStorage } from "@siteward/service";
import type { AccountSettings } from "../../../src/storage/interface/storage.ts";
import { type TestWebsiteStore, websitesWithTestAuthor } from "./with-test-author.ts";

/** What tests use of the storage of the service in memory. */
export interface TestMemory {
  readonly websites: TestWebsiteStore;
  readonly accounts: { create(account: AccountSettings): Promise<{ readonly id: number }> };
}

export function openMemory({ now = Date.now }: { readonly now?: () => number } = {}): TestMemory {
  const storage = new MemoryStorage(now);
  return {
    websites: websitesWithTestAuthor(storage.websites),
    accounts: { create: async (account) => storage.createAccount(account).stored },
  };
}
