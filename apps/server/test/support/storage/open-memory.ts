import { MemoryStorage } from "@siteward/service";
import type { AnyStorage } from "./any-storage.ts";
import { websitesWithTestAuthor } from "./with-test-author.ts";

/** Opens the storage of the service in memory, which only one process can use. */
export async function openMemory({ now = Date.now }: { readonly now?: () => number } = {}): Promise<AnyStorage> {
  const storage = new MemoryStorage(now);
  const websites = websitesWithTestAuthor(storage.websites);
  return {
    websites,
    accounts: { ...storage.accounts, create: async (account) => storage.createAccount(account).stored },
    either: () => websites,
    findFaults: async () => [],
    [Symbol.asyncDispose]: async () => undefined,
  };
}
