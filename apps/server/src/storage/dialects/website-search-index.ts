import type { RawBuilder, SqlBool } from "kysely";
import type { MatchRange, WebsiteMatch } from "../tables/website-match.ts";
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
  /** Returns how small accounts are searched, which may depend on what the database supports. */
  searchSmall(connection: ReadConnection): Promise<SmallSearch>;
  /** Counts the matches, and finds those of some ranges. The connection must see one state of the database. */
  find(connection: ReadConnection, match: WebsiteMatch, search: RangeSearch): Promise<FoundMatches>;
}

/** Finds all matches of an account with few websites, in a query that is prepared once for all such accounts. */
export interface SmallSearch {
  /** Returns the parts of a term that the query looks up in an index. Empty if it uses none. */
  readonly partsOf: (accountId: number, term: string) => readonly string[];
  /** Returns a query for the ids and domains of all matches. */
  readonly matchesOf: (match: SmallMatch) => RawBuilder<unknown>;
}

/** Each value may be a placeholder. */
interface SmallMatch extends WebsiteMatch {
  readonly parts: readonly string[];
  /** Whether the account is small. The engine must check it before it reads any website. */
  readonly isSmall: RawBuilder<SqlBool>;
}

/** What is stored of a website and indexed. */
export interface IndexedWebsite {
  readonly accountId: number;
  readonly id: number;
  readonly domain: string;
  readonly unicodeDomain: string | null;
}

export interface RangeSearch {
  readonly ranges: readonly MatchRange[];
  /** How many matches are counted at most. */
  readonly max: number;
  /** How many websites the account has. */
  readonly size: number;
}

export interface FoundMatches {
  /** How many websites of the account match, up to `max`. */
  readonly total: number;
  /** The ids of each range, in its order. */
  readonly ids: ReadonlyArray<readonly number[]>;
}
