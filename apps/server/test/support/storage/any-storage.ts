import type { ServiceStorage } from "@siteward/service";
import type { AccountSettings } from "../../../src/storage/interface/storage.ts";
import type { TestWebsiteStore } from "./with-test-author.ts";

/** What tests use of any storage: what the operations of the service use, and accounts. */
export interface AnyStorage extends AsyncDisposable {
  readonly websites: TestWebsiteStore;
  readonly accounts: ServiceStorage["accounts"] & {
    create(account: AccountSettings): Promise<{ readonly id: number }>;
  };
  /** The websites of the first process for even numbers, and of the second for odd ones, if there are two. */
  either(index: number): TestWebsiteStore;
  /** Returns the faults that a database finds in itself. */
  findFaults(): Promise<unknown[]>;
}
