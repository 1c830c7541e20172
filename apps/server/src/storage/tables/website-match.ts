import { type RawBuilder, type SqlBool, sql } from "kysely";

export interface WebsiteMatch {
  readonly accountId: number;
  readonly term: string;
  readonly columns: SearchedColumns;
}

export type SearchedColumns = readonly [SearchedColumn, ...SearchedColumn[]];

type SearchedColumn = "domain" | "unicode_domain";

export interface MatchRange {
  readonly sortBy: "id" | "domain";
  readonly order: "asc" | "desc";
  readonly bound?: KeyBound | undefined;
  readonly offset: number;
  readonly limit: number;
}

export interface KeyBound {
  readonly operator: KeyOperator;
  readonly key: number | string;
}

export type KeyOperator = "<" | "<=" | ">" | ">=";

/** The condition that a column contains the term, in the SQL of an engine. */
export type IsInside = (column: SearchedColumn, term: string) => RawBuilder<SqlBool>;

export function containsTerm(
  isInside: IsInside,
  { columns, term }: Pick<WebsiteMatch, "columns" | "term">,
): RawBuilder<SqlBool> {
  const found = columns.map((column) => isInside(column, term));
  return sql`(${sql.join(found, sql` or `)})`;
}

export function isWithin({ sortBy, bound }: Pick<MatchRange, "sortBy" | "bound">): RawBuilder<SqlBool> {
  return bound === undefined ? sql`true` : sql`${sql.ref(sortBy)} ${sql.raw(bound.operator)} ${bound.key}`;
}

export function inOrder({ sortBy, order }: Pick<MatchRange, "sortBy" | "order">): RawBuilder<unknown> {
  return sql`order by ${sql.ref(sortBy)} ${sql.raw(order)}`;
}
