import { initial } from "./initial-0001.ts";
import type { Migration } from "./migration.ts";
import { searchByAccount } from "./search-by-account-0002.ts";

/** Every migration, in order of version, from 1. */
export const migrations: readonly Migration[] = [initial, searchByAccount];
