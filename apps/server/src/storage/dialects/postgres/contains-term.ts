import { type RawBuilder, sql } from "kysely";
import { type SearchedColumn, searchedColumns } from "../searched-columns.ts";
import type { WebsiteMatch } from "../website-search-index.ts";

/** The condition that a record contains the term. */
export function containsTerm(match: WebsiteMatch): RawBuilder<unknown> {
  return sql`(${sql.join(
    searchedColumns(match.term).map((column) => isInside(column, match)),
    sql` or `,
  )})`;
}

/** The condition that one column contains the term, which has no character with a special meaning in a pattern. */
export function isInside(column: SearchedColumn, { term }: WebsiteMatch): RawBuilder<unknown> {
  return sql`${sql.ref(column)} like ${`%${term}%`}`;
}
