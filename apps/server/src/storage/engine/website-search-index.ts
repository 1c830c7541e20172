import type { RawBuilder, SqlBool } from "kysely";
import type { MatchRange, WebsiteMatch } from "../tables/website-match.ts";
import type { WebsiteRow } from "../tables/websites.ts";
import type { ReadConnection, WriteConnection } from "./connection.ts";

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

export type IndexedWebsite = Pick<WebsiteRow, "account_id" | "id" | "domain" | "unicode_domain">;

/** The parts of the queries that find matches in an account with many websites. */
export interface LargeSearch {
  /** Returns a query that counts the matches by the index, up to `max`. */
  readonly count: (match: WebsiteMatch, max: number) => RawBuilder<{ total: number }>;
  /** Returns a query for the ids and domains of all matches, by the index. */
  readonly matches: (match: WebsiteMatch) => RawBuilder<unknown>;
  /** Returns a query for the ids of a range of matches, by an index that has them in order of id. Undefined if it does not. */
  readonly matchesById: ((match: WebsiteMatch, range: MatchRange) => RawBuilder<unknown>) | undefined;
  /** Returns a query for the first websites of a range that may match, in its order. It does not compare them, and skips none. */
  readonly list: (match: WebsiteMatch, range: MatchRange, size: number) => RawBuilder<unknown>;
  /** Returns the condition that a website of this query, which is called `listed`, matches. */
  readonly isListedMatch: (match: WebsiteMatch) => RawBuilder<unknown>;
  readonly listedId: (match: WebsiteMatch, range: MatchRange) => RawBuilder<unknown>;
}
