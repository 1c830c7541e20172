import type { Migration } from "./migration.ts";

/** Prepares the search index for websites that are indexed in blocks and merged in small steps. */
export const searchInBlocks: Migration = {
  version: 3,
  name: "search-in-blocks",
  up: (transaction, definitions) => definitions.indexWebsitesInBlocks(transaction),
};
