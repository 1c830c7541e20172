export interface WebsiteMatch {
  readonly accountId: number;
  readonly term: string;
  readonly columns: SearchedColumns;
}

export type SearchedColumns = readonly [SearchedColumn, ...SearchedColumn[]];

export type SearchedColumn = "domain" | "unicode_domain";

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
export type IsInside = (column: SearchedColumn) => string;

export function containsTerm(isInside: IsInside, columns: SearchedColumns): string {
  return `(${columns.map(isInside).join(" or ")})`;
}

/** The condition that a sort key is within the bound, whose key is the value `:key`. */
export function isWithin({ sortBy, bound }: Pick<MatchRange, "sortBy" | "bound">): string {
  return bound === undefined ? "true" : `${sortBy} ${bound.operator} :key`;
}

export function inOrder({ sortBy, order }: Pick<MatchRange, "sortBy" | "order">): string {
  return `order by ${sortBy} ${order}`;
}

/** SQLite compiles a statement again for each value of its limit, unless that is in the text. */
export function page({ limit }: Pick<MatchRange, "limit">): string {
  return `limit ${limit} offset :offset`;
}
