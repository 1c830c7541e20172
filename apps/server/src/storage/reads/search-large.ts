import { setImmediate } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import type { ReadConnection } from "../engine/database.ts";
import type { LargeSearch } from "../engine/website-search-index.ts";
import { inOrder, isWithin, type MatchRange, type WebsiteMatch } from "../tables/website-match.ts";

interface RangeSearch {
  readonly ranges: readonly MatchRange[];
  /** How many matches are counted at most. */
  readonly max: number;
  readonly size: number;
}

interface FoundMatches {
  /** How many websites of the account match, up to `max`. */
  readonly total: number;
  /** The ids of each range, in its order. */
  readonly ids: ReadonlyArray<readonly number[]>;
}

/** If one in this many websites matches, websites in order soon have enough matches. */
const commonShare = 5;
/**
 * How many websites are compared at a time: first, and after that. On SQLite, 25,000 take 3 to 4 ms of a processor, and
 * each is read up to three times.
 */
const pieces = { first: 20_000, next: 25_000 } as const;

/**
 * Counts the matches with the index, and finds those of some ranges. Few matches are sorted, which takes up to 40 ms
 * for 10,000. If they are many, websites are compared in order until enough match. Between statements the event loop
 * gets a turn, so no search holds it for long, wherever the matches are.
 *
 * @param connection sees one state of the database
 */
export async function searchLarge(
  connection: ReadConnection,
  { count, ...search }: LargeSearch,
  { match, ranges, max, size }: RangeSearch & { readonly match: WebsiteMatch },
): Promise<FoundMatches> {
  const [counted] = await connection.read(count(match, max));
  const { total = 0 } = counted ?? {};
  const isCommon = total === max || total * commonShare > size;
  const find = isCommon ? walk : sortAll;
  const ids: number[][] = [];
  for (const range of total === 0 ? [] : ranges) {
    await setImmediate();
    ids.push(await find(connection, search, { match, range }));
  }
  return { total, ids };
}

type FindRange = (
  connection: ReadConnection,
  search: Omit<LargeSearch, "count">,
  wanted: { readonly match: WebsiteMatch; readonly range: MatchRange },
) => Promise<number[]>;

/** Finds all matches before it sorts them, so that an engine never reads the account in order to find them. */
const sortAll: FindRange = async (connection, { matches }, { match, range }) =>
  readIds(
    connection,
    sql`with matches as materialized (${matches(match)})
      select id from matches where ${isWithin(range)} ${inOrder(range)} ${page(range)}`,
  );

/** Compares websites in order, some at a time, until enough match. */
const walk: FindRange = async (connection, search, { match, range }) => {
  if (range.sortBy === "id" && search.matchesById !== undefined)
    return readIds(connection, search.matchesById(match, range));
  const ids: number[] = [];
  let { bound, offset } = range;
  for (let size: number = pieces.first; ; size = pieces.next) {
    const piece = { ...range, bound, offset, limit: range.limit - ids.length };
    const listed = sql`(${search.list(match, piece, size)}) as listed`;
    const isMatch = search.isListedMatch(match);
    const matching = sql`(select * from ${listed} where ${isMatch} ${page(piece)}) as listed`;
    const found = await readIds(connection, sql`select ${search.listedId(match, range)} as id from ${matching}`);
    ids.push(...found);
    if (ids.length === range.limit) return ids;
    // The sort key of the last website that was listed, if there may be others after it.
    const last = sql`select ${sql.ref(range.sortBy)} as key from ${listed} limit 1 offset ${sql.lit(size - 1)}`;
    const [end] = await connection.read(sql<{ key: number | string }>`${last}`);
    if (end === undefined) return ids;
    const skipped = sql<{ total: number }>`select count(*) as total from ${listed} where ${isMatch}`;
    if (found.length > 0) offset = 0;
    else if (offset > 0) offset -= (await connection.read(skipped))[0]?.total ?? 0;
    bound = { operator: range.order === "asc" ? ">" : "<", key: end.key };
    await setImmediate();
  }
};

async function readIds(connection: ReadConnection, query: RawBuilder<unknown>): Promise<number[]> {
  const rows = await connection.read(sql<{ id: number }>`${query}`);
  return rows.map(({ id }) => id);
}

/** SQLite compiles a statement again for each value of its limit, unless that is a literal. */
export function page({ limit, offset }: Pick<MatchRange, "limit" | "offset">): RawBuilder<unknown> {
  return sql`limit ${sql.lit(limit)} offset ${offset}`;
}
