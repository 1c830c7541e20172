import type { Website } from "@siteward/contract";

/** What an account must contain, according to the answers that it got. */
export interface AccountModel {
  readonly limit: number | null;
  readonly websites: Map<number, ModelWebsite>;
  /** The highest id that was used. */
  lastId: number;
  /** When the last website was created. */
  lastCreatedAt: string;
  readonly deletedIds: number[];
  readonly cursors: KeptCursor[];
}

export interface ModelWebsite {
  readonly website: Website;
  readonly entityTag: string;
}

/** The order and search of a list. */
export interface ListOrder {
  readonly sortBy: "id" | "domain";
  readonly sort: "asc" | "desc";
  /** The search term as the server reads it. Empty means no search. */
  readonly term: string;
}

/** A cursor of an earlier answer. It continues from the record with this key, in this direction. */
export interface KeptCursor extends ListOrder {
  readonly text: string;
  readonly key: number | string;
  readonly isForward: boolean;
}

const maxCursors = 30;

/** Creates the model of an empty account. */
export function createAccountModel(limit: number | null): AccountModel {
  return { limit, websites: new Map(), lastId: 0, lastCreatedAt: "", deletedIds: [], cursors: [] };
}

export function findByDomain({ websites }: AccountModel, domain: string): ModelWebsite | undefined {
  for (const entry of websites.values()) if (entry.website.domain === domain) return entry;
  return undefined;
}

/** Returns the websites of all pages of a list, in its order. */
export function listAll({ websites }: AccountModel, { sortBy, sort, term }: ListOrder): Website[] {
  const matching = [...websites.values()].map(({ website }) => website).filter(({ domain }) => domain.includes(term));
  const sign = sort === "asc" ? 1 : -1;
  return matching.sort((left, right) => sign * compare(left[sortBy], right[sortBy]));
}

/** Compares keys. Negative if the first comes before the second in ascending order. Domains are ASCII, so bytes are characters. */
export function compare(left: number | string, right: number | string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Keeps a cursor for later. If there are many, it replaces an old one. */
export function keepCursor({ cursors }: AccountModel, cursor: KeptCursor): void {
  if (cursors.length >= maxCursors) cursors.shift();
  cursors.push(cursor);
}
