import type { ReadConnection, WriteConnection } from "./connection.ts";

/** Finds websites by a part of their domain, in its ASCII or its Unicode form, without reading the entire account. */
export interface WebsiteSearchIndex {
  /** Adds the newest website of its account. The row of the account must already have its id. */
  add(transaction: WriteConnection, website: { accountId: number; id: number }): Promise<void>;
  /** Adds any websites that are not indexed, while an installation is copied. Many at once take the least time. */
  load(transaction: WriteConnection, websites: readonly IndexedWebsite[]): Promise<void>;
  remove(transaction: WriteConnection, website: { accountId: number; id: number }): Promise<void>;
  /** Removes all websites of an account whose ids are in a range. */
  removeRange(
    transaction: WriteConnection,
    accountId: number,
    range: { readonly lowest: number; readonly highest: number },
  ): Promise<void>;
  /** Counts the matches, up to `max`. */
  count(connection: ReadConnection, match: WebsiteMatch, max: number): Promise<MatchCount>;
  /** Finds the ids of matches in the order of the scan. */
  find(connection: ReadConnection, match: WebsiteMatch, range: WebsiteMatchRange): Promise<number[]>;
}

/** What is stored of a website and indexed. */
export interface IndexedWebsite {
  readonly accountId: number;
  readonly id: number;
  readonly domain: string;
  readonly unicodeDomain: string | null;
}

export interface WebsiteMatch {
  readonly accountId: number;
  readonly term: string;
  /** The columns that can contain the term. */
  readonly columns: SearchedColumns;
}

export type SearchedColumns = readonly [SearchedColumn, ...SearchedColumn[]];

export type SearchedColumn = "domain" | "unicode_domain";

interface MatchCount {
  readonly total: number;
  /** Those of the searched columns in which the account has anything. */
  readonly columns: SearchedColumns;
}

export interface WebsiteMatchRange {
  readonly sortBy: "id" | "domain";
  readonly order: "asc" | "desc";
  /** Limits the matches by their sort key. */
  readonly bound?: KeyBound | undefined;
  readonly offset: number;
  readonly limit: number;
  /** How many websites of the account match, if not too many match to count them. */
  readonly matches: number;
  /** Whether so many websites match that a scan in any order is likely to find the next match soon. */
  readonly isDense: boolean;
}

export interface KeyBound {
  readonly operator: KeyOperator;
  readonly key: number | string;
}

export type KeyOperator = "<" | "<=" | ">" | ">=";
