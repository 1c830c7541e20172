import type { Website } from "@siteward/contract";
import { presence, shown, stored, strings, time } from "./column.ts";
import { createRecordMapper } from "./record-mapper.ts";
import type { Selection } from "./selection.ts";
import { defineTable } from "./table.ts";

/**
 * Websites. To add a field, add one line here and a migration. Select lists, records, inserts and copies follow from it. The
 * primary key begins with the account, and so does every query.
 */
export const websites = defineTable({
  name: "websites",
  columns: {
    account_id: stored<number>(),
    id: shown<number>(),
    /** In canonical form. */
    domain: shown<string>(),
    privacy: shown<0 | 1 | 2>(),
    /** Argon2id PHC string, or null if there is no password. */
    password_hash: presence("has_password"),
    email: shown<0 | 1>(),
    exclude_bots: shown<0 | 1>(),
    exclude_params: strings,
    exclude_ips: strings,
    /** Counts from 1 and rises with every change. */
    version: stored<number>(),
    created_at: time,
    updated_at: time,
    /** The Unicode form of the domain, to search in. Null if it is the same. `unicodeDomain` returns it. */
    unicode_domain: stored<string | null>(),
  },
  key: ["account_id", "id"],
  distributedBy: "account_id",
});

/**
 * Converts between rows and the website records of the interface, in its order of fields (docs/interface.md, section 3).
 * Does not compile if a field of the contract's record is missing.
 */
export const websiteRecord = createRecordMapper(websites) satisfies { readonly selection: Selection<Website> };
