import type { IsInside, MatchRange, WebsiteMatch } from "../tables/website-match.ts";
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
  readonly isInside: IsInside;
  /** How many of the oldest websites of a large account show `find` how common a term is. */
  readonly sampleSize: number;
  /** Counts the matches, and finds those of some ranges. The connection must see one state of the database. */
  find(connection: ReadConnection, match: WebsiteMatch, search: RangeSearch): Promise<FoundMatches>;
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
  /** How many websites of the sample match. */
  readonly sampled: number;
  /** How many websites the account has. */
  readonly size: number;
}

export interface FoundMatches {
  /** How many websites of the account match, up to `max`. */
  readonly total: number;
  /** The ids of each range, in its order. */
  readonly ids: ReadonlyArray<readonly number[]>;
}
