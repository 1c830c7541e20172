import { sql } from "kysely";
import type { ReadConnection } from "../connection.ts";
import type { WebsiteSearchIndex } from "../website-search-index.ts";
import { indexedSearch } from "./postgres-indexed-search.ts";
import { patternSearch } from "./postgres-pattern-search.ts";

/** Searches with the index if it exists, which is checked once. Without it, searches with a pattern. */
export function createPostgresSearch(): WebsiteSearchIndex {
  let isIndexed: boolean | undefined;
  const choose = async (connection: ReadConnection): Promise<typeof patternSearch> => {
    isIndexed ??= await hasIndex(connection);
    return isIndexed ? indexedSearch : patternSearch;
  };
  return {
    // The engine maintains its indexes by itself.
    async add() {},
    async load() {},
    async remove() {},
    async removeRange() {},
    count: async (connection, match, max) => (await choose(connection)).count(connection, match, max),
    find: async (connection, match, range) => (await choose(connection)).find(connection, match, range),
  };
}

async function hasIndex(connection: ReadConnection): Promise<boolean> {
  const found = await connection.read(sql`select 1 where to_regclass('websites_search') is not null`);
  return found.length > 0;
}
