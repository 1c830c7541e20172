import { MemoryStorage } from "@siteward/service";
import type { AccountSettings } from "../../../src/storage/interface/storage.ts";
import { websitesWithTestAuthor } from "./with-test-author.ts";

/** What tests use of the storage of the service in memory. */
export function openMemory(now: () => number) {
  const storage = new MemoryStorage(now);
  return {
    websites: websitesWithTestAuthor(storage.websites),
    accounts: { create: async (account: AccountSettings) => storage.createAccount(account).stored },
  };
}
