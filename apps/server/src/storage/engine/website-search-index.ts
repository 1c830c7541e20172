import type { MatchRange, SearchedColumns } from "../tables/website-match.ts";
import type { WebsiteRow } from "../tables/websites.ts";
import type { ReadConnection, WriteConnection } from "./connection.ts";
import type { Sql } from "./statement.ts";

/** Finds websites by a part of their domain, in its ASCII or its Unicode form, without reading the entire account. */
export interface WebsiteSearchIndex {
  /** Adds the newest website of its account. The row of the account must already have its id. */
  add(transaction: WriteConnection, website: { accountId: number; id: number }): Promise<void>;
  /** Adds any websites that are not indexed, while an installation is copied. Many at once take the least time. */
  load(transaction: WriteConnection, websites: readonly IndexedWebsite[]): Promise<void>;
  remove(transaction: WriteConnection, website: { accountId: number; id: number }): Promise<void>;
  removeRange(
    transaction: WriteConnection,
    accountId: number,
    range: { readonly lowest: number; readonly highest: number },
  ): Promise<void>;
  searchSmall(connection: ReadConnection): Promise<SmallSearch>;
  /** Returns how large accounts are searched, which may depend on what the database supports. */
  searchLarge(connection: ReadConnection): Promise<LargeSearch>;
}

/** Values of the queries of an engine beside `:accountId`, `:term`, and `:key` and `:offset` of a range. */
type ValuesOf = (accountId: number, term: string, range?: MatchRange) => object;

/** Finds all matches of an account with few websites, in a query that is prepared once for all such accounts. */
export interface SmallSearch {
  /**
   * Returns a query for the ids and domains of all matches.
   *
   * @param isSmall whether the account is small. The engine must check it before it reads any website.
   */
  readonly matches: (columns: SearchedColumns, isSmall: Sql) => Sql;
  readonly valuesOf: ValuesOf;
}

export type IndexedWebsite = Pick<WebsiteRow, "account_id" | "id" | "domain" | "unicode_domain">;

/** The parts of the queries that find matches in an account with many websites. */
export interface LargeSearch {
  /** Returns a query that counts the matches by the index, up to `max`. */
  readonly count: (columns: SearchedColumns, max: number) => Sql;
  /** Returns a query for the ids and domains of all matches, by the index. */
  readonly matches: (columns: SearchedColumns) => Sql;
  /** Returns a query for the ids of a range of matches, by an index that has them in order of id. Undefined if it does not. */
  readonly matchesById: ((columns: SearchedColumns, range: MatchRange) => Sql) | undefined;
  /** Returns a query for the first websites of a range, in its order: candidates that the caller compares. */
  readonly list: (columns: SearchedColumns, range: MatchRange, size: number) => Sql;
  /** Returns the condition that a website of this query, which is called `listed`, matches. */
  readonly isListedMatch: (columns: SearchedColumns) => Sql;
  readonly listedId: (range: MatchRange) => Sql;
  readonly valuesOf: ValuesOf;
}
