import { type RawBuilder, sql } from "kysely";
import { containsTerm, type IsInside, type MatchRange, type WebsiteMatch } from "../../tables/website-match.ts";
import { blockIds } from "./sqlite-website-parts.ts";
import { rowidOf, toPhrase } from "./website-parts.ts";

/** With `like`, SQLite compiles a statement again for each term. */
export const isInside: IsInside = (column, term) => sql`instr(${sql.ref(column)}, ${term}) > 0`;

export interface CountedRange extends MatchRange {
  /** How many websites of the account match, if not too many match to count them. */
  readonly matches: number | undefined;
}

/** The condition that a record of the index matches, is in a complete block of this account, and is within the bounds. */
export function isIndexedMatch(match: WebsiteMatch, range?: MatchRange): RawBuilder<unknown> {
  const { lowest, highest } = idRange(range);
  const { accountId, term } = match;
  const last = sql`min(${rowidOf(accountId, highest)}, ${rowidOf(accountId, 0)} + ${lastIndexedId(accountId)})`;
  return sql`domain_parts match ${toPhrase(accountId, term)}
    and rowid between ${rowidOf(accountId, lowest)} and ${last}`;
}

/** The condition that a website matches, comes after the last complete block, and is within the bounds. */
export function isRecentMatch(match: WebsiteMatch, range?: MatchRange): RawBuilder<unknown> {
  const { lowest, highest } = idRange(range);
  const { accountId } = match;
  // With two lower bounds, SQLite would read the range of only one of them.
  return sql`account_id = ${accountId} and id > max(${lastIndexedId(accountId)}, ${lowest - 1}) and id <= ${highest}
    and ${containsTerm(isInside, match)}`;
}

/** The last id of the account's last complete block (see `isBlockEnd`), or less than 1. Null if the account does not exist, so that nothing matches. */
function lastIndexedId(accountId: number): RawBuilder<number> {
  return sql<number>`(select last_website_id - (last_website_id + id) % ${sql.lit(blockIds)}
    from accounts where id = ${accountId})`;
}

const maxId = 2 ** 32 - 1;

/** Returns the range of ids within the bound. It never leaves the account: higher and lower rowids belong to other accounts. */
function idRange(range: MatchRange | undefined): { lowest: number; highest: number } {
  const bound = range?.bound;
  if (typeof bound?.key !== "number") return { lowest: 0, highest: maxId };
  const { operator, key } = bound;
  if (operator === ">" || operator === ">=") {
    const lowest = operator === ">" ? key + 1 : key;
    return { lowest: Math.min(Math.max(lowest, 0), maxId + 1), highest: maxId };
  }
  const highest = operator === "<" ? key - 1 : key;
  return { lowest: 0, highest: Math.max(Math.min(highest, maxId), -1) };
}
