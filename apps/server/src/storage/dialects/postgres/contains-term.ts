import { type RawBuilder, sql } from "kysely";
import type { SearchedColumn, WebsiteMatch } from "../website-search-index.ts";

/** The condition that a record contains the term. */
export function containsTerm(match: WebsiteMatch): RawBuilder<unknown> {
  return sql`(${sql.join(
    match.columns.map((column) => isInside(column, match)),
    sql` or `,
  )})`;
}

/** The condition that one column contains the term, which has no character with a special meaning in a pattern. */
export function isInside(column: SearchedColumn, { term }: WebsiteMatch): RawBuilder<unknown> {
  return sql`${sql.ref(column)} like ${`%${term}%`}`;
}
