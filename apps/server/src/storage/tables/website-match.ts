import { joinSql, type Sql, sql } from "./sql.ts";

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
export type IsInside = (column: SearchedColumn) => Sql;

export function containsTerm(isInside: IsInside, columns: SearchedColumns): Sql {
  return sql`(${joinSql(columns.map(isInside), sql` or `)})`;
}

/** The condition that a sort key is within the bound, whose key is the value `:key`. */
export function isWithin({ sortBy, bound }: Pick<MatchRange, "sortBy" | "bound">): Sql {
  return bound === undefined ? sql`true` : sql`${sortBy} ${bound.operator} :key`;
}

export function inOrder({ sortBy, order }: Pick<MatchRange, "sortBy" | "order">): Sql {
  return sql`order by ${sortBy} ${order}`;
}

/** SQLite compiles a statement again for each value of its limit, unless that is in the text. */
export function page({ limit }: Pick<MatchRange, "limit">): Sql {
  return sql`limit ${limit} offset :offset`;
}
