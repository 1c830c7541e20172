import { accountDeletions } from "./account-deletions-0005.ts";
import { initial } from "./initial-0001.ts";
import type { Migration } from "./migration.ts";
import { safeRetries } from "./safe-retries-0004.ts";
import { searchByAccount } from "./search-by-account-0002.ts";
import { searchInBlocks } from "./search-in-blocks-0003.ts";

/** All migrations in order of version, starting at 1. */
export const migrations: readonly Migration[] = [
  initial,
  searchByAccount,
  searchInBlocks,
  safeRetries,
  accountDeletions,
];
