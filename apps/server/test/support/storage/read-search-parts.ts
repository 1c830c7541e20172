import { DatabaseSync } from "node:sqlite";
import type { TestDatabase } from "../test-database.ts";

interface SearchPart {
  readonly term: string;
  /** The account of the website that contains the part, from the rowid. */
  readonly accountId: number;
  readonly websiteId: number;
  /** How many parts of the website are before it in the index. */
  readonly place: number;
}

/** Reads the entire content of the search index of SQLite. */
export function readSearchParts({ databaseUrl }: TestDatabase): SearchPart[] {
  using connection = new DatabaseSync(databaseUrl.slice("file:".length));
  connection.exec("create virtual table temp.search_parts using fts5vocab('main', 'domain_parts', 'instance')");
  const rows = connection
    .prepare(`select term, doc / 4294967296 as account_id, doc % 4294967296 as website_id, "offset" as place
      from search_parts order by doc, place`)
    .all();
  return rows.map((row) => ({
    term: String(row["term"]),
    accountId: Number(row["account_id"]),
    websiteId: Number(row["website_id"]),
    place: Number(row["place"]),
  }));
}
