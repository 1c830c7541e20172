import { changeNumbers } from "./change-numbers-0009.ts";
import { initial } from "./initial-0005.ts";
import type { Migration } from "./migration.ts";
import { trailBytes } from "./trail-bytes-0007.ts";
import { trailLinks } from "./trail-links-0008.ts";
import { unicodeDomains } from "./unicode-domains-0006.ts";

/** All migrations in order of version. */
export const migrations: readonly Migration[] = [initial, unicodeDomains, trailBytes, trailLinks, changeNumbers];

/** The version of the database that this program needs. */
export const newestVersion: number = migrations.at(-1)?.version ?? 0;
