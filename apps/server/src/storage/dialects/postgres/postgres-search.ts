import { type RawBuilder, sql } from "kysely";
import type { ReadConnection } from "../connection.ts";
import type { WebsiteMatch, WebsiteMatchRange, WebsiteSearchIndex } from "../website-search-index.ts";
import { containsTerm } from "./contains-term.ts";
import { indexedSearch } from "./postgres-indexed-search.ts";

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
  const found = await connection.read(sql`select 1 where to_regclass('websites_unicode_search') is not null`);
  return found.length > 0;
}

/** Searches with a pattern, on engines that do not support our index. Such an engine may have its own index for patterns. */
const patternSearch: Pick<WebsiteSearchIndex, "count" | "find"> = {
  async count(connection, match, max) {
    const [counted] = await connection.read(sql<{ total: number }>`
      select count(*) as total from (
        select 1 from websites where ${matching(match)} limit ${sql.lit(max)}
      ) as matches`);
    return { total: counted?.total ?? 0, columns: match.columns };
  },

  async find(connection, match, range) {
    const rows = await connection.read(sql<{ id: number }>`
      select id from websites where ${matching(match)} and ${within(range)}
      order by ${sql.ref(range.sortBy)} ${sql.raw(range.order)}
      limit ${sql.lit(range.limit)} offset ${range.offset}`);
    return rows.map(({ id }) => id);
  },
};

function matching(match: WebsiteMatch): RawBuilder<unknown> {
  return sql`account_id = ${match.accountId} and ${containsTerm(match)}`;
}

function within({ sortBy, bound }: WebsiteMatchRange): RawBuilder<unknown> {
  return bound === undefined ? sql`true` : sql`${sql.ref(sortBy)} ${sql.raw(bound.operator)} ${bound.key}`;
}
