import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { IsInside, SearchedColumns, WebsiteMatch } from "../../tables/website-match.ts";
import { isInside } from "./is-inside.ts";

/**
 * A query for the ids and domains of all websites that match, in a form for which the engine can use the inverted indexes of the
 * parts of one to three characters of each domain and of each Unicode form, each with its account in front. The engine maintains
 * them. The condition on the account alone also lets it find the records without these indexes.
 */
export function indexedMatches({ accountId, term, columns }: WebsiteMatch): RawBuilder<unknown> {
  return inEachColumn({ columns, term }, isInside, (column, isMatch) => {
    const hasGrams = sql`website_grams(account_id, ${column}) @> ${toGrams(accountId, term)}::text[]`;
    return sql`select id, domain from websites where account_id = ${accountId} and ${hasGrams} and ${isMatch}`;
  });
}

/** Searches with an index for each column. If both columns match, a record is found in the first one only. */
export function inEachColumn(
  { columns, term }: { readonly columns: SearchedColumns; readonly term: string },
  isInside: IsInside,
  search: (column: RawBuilder<unknown>, isMatch: RawBuilder<SqlBool>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const found = columns.map((column, index) => {
    const before = columns.slice(0, index).map((other) => sql`and not ${isInside(other, term)}`);
    return search(sql.ref(column), sql`${isInside(column, term)} ${sql.join(before, sql` `)}`);
  });
  return sql.join(found, sql` union all `);
}

/** The longest parts of a term that the index contains. */
export function toGrams(accountId: number, term: string): string[] {
  const characters = [...term];
  const count = Math.max(characters.length - 2, 1);
  return Array.from({ length: count }, (_, start) => `${accountId}:${characters.slice(start, start + 3).join("")}`);
}
