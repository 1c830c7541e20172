import type { Migration } from "./migration.ts";

/** A search reads only what its own account holds. */
export const searchByAccount: Migration = {
  version: 2,
  name: "search-by-account",
  up: (transaction, { definitions }) => definitions.leadWebsiteSearchByAccount(transaction),
};
