import { setImmediate } from "node:timers/promises";
import { maxExactTotal } from "@siteward/contract";
import type { ReadConnection } from "../engine/database.ts";
import { type Sql, sql } from "../engine/statement.ts";
import type { LargeSearch } from "../engine/website-search-index.ts";
import {
  inOrder,
  isWithin,
  type MatchRange,
  page,
  type SearchedColumns,
  type WebsiteMatch,
} from "../tables/website-match.ts";

interface RangeSearch {
  readonly match: WebsiteMatch;
  readonly ranges: readonly MatchRange[];
  /** How many websites the account has. */
  readonly size: number;
}

interface FoundMatches {
  /** How many websites of the account match, up to one more than are counted exactly. */
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
  search: LargeSearch,
  { match, ranges, size }: RangeSearch,
): Promise<FoundMatches> {
  const read = <Row>(text: Sql, range?: MatchRange) => {
    const { accountId, term } = match;
    const values = { accountId, term, key: range?.bound?.key, offset: range?.offset };
    return connection.read<Row>(text, { ...values, ...search.valuesOf(accountId, term, range) });
  };
  const [counted] = await read<{ total: number }>(search.count(match.columns, maxExactTotal + 1));
  const { total = 0 } = counted ?? {};
  const isCommon = total > maxExactTotal || total * commonShare > size;
  const find = isCommon ? walk : sortAll;
  const ids: number[][] = [];
  for (const range of total === 0 ? [] : ranges) {
    await setImmediate();
    ids.push(await find(read, search, { columns: match.columns, range }));
  }
  return { total, ids };
}

/** Finds all matches before it sorts them, so that an engine never reads the account in order to find them. */
const sortAll: FindRange = async (read, { matches }, { columns, range }) =>
  toIds(
    await read(
      sql`with matches as materialized (${matches(columns)})
      select id from matches where ${isWithin(range)} ${inOrder(range)} ${page(range)}`,
      range,
    ),
  );

type FindRange = (
  read: <Row>(text: Sql, range: MatchRange) => Promise<Row[]>,
  search: LargeSearch,
  wanted: { readonly columns: SearchedColumns; readonly range: MatchRange },
) => Promise<number[]>;

/** Compares websites in order, some at a time, until enough match. */
const walk: FindRange = async (read, search, { columns, range }) => {
  if (range.sortBy === "id" && search.matchesById !== undefined)
    return toIds(await read(search.matchesById(columns, range), range));
  const ids: number[] = [];
  let { bound, offset } = range;
  for (let size: number = pieces.first; ; size = pieces.next) {
    const piece = { ...range, bound, offset, limit: range.limit - ids.length };
    const listed = sql`(${search.list(columns, piece, size)}) as listed`;
    const isMatch = search.isListedMatch(columns);
    const matching = sql`(select * from ${listed} where ${isMatch} ${page(piece)}) as listed`;
    const found = toIds(await read(sql`select ${search.listedId(range)} as id from ${matching}`, piece));
    ids.push(...found);
    if (ids.length === range.limit) return ids;
    // The sort key of the last website that was listed, if there may be others after it.
    const last = sql`select ${range.sortBy} as key from ${listed} limit 1 offset ${size - 1}`;
    const [end] = await read<{ key: number | string }>(last, piece);
    if (end === undefined) return ids;
    const skipped = sql`select count(*) as total from ${listed} where ${isMatch}`;
    if (found.length > 0) offset = 0;
    else if (offset > 0) offset -= (await read<{ total: number }>(skipped, piece))[0]?.total ?? 0;
    bound = { operator: range.order === "asc" ? ">" : "<", key: end.key };
    await setImmediate();
  }
};

function toIds(rows: readonly { readonly id: number }[]): number[] {
  return rows.map(({ id }) => id);
}
