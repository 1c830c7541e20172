import type { Migration } from "./migration.ts";

/** Rebuilds the search index so that a search reads only the domains of its own account. */
export const searchByAccount: Migration = {
  version: 2,
  name: "search-by-account",
  up: (transaction, definitions) => definitions.addAccountToWebsiteSearch(transaction),
};
