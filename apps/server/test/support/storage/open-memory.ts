import { MemoryStorage } from "@siteward/service";
import { type TestWebsiteStore, websitesWithTestAuthor } from "./with-test-author.ts";

/** Opens the storage of the service in memory. It has one account, which answers to every ID. */
export function openMemory(now: () => number): TestWebsiteStore {
  const account = { name: "Acme", email: "owner@acme.example", websiteLimit: null };
  return websitesWithTestAuthor(new MemoryStorage(account, now).websites);
}
