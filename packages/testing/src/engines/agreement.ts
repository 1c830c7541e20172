import type { Database } from "./database.ts";

/** What must agree on every engine, with SQL that finds where it does not. */
const disagreements = {
  "website_count differs from the websites of the account":
    "select id from accounts where website_count <> (select count(*) from websites where account_id = accounts.id)",
  "last_website_id is below the id of a website":
    "select id from accounts where last_website_id < (select max(id) from websites where account_id = accounts.id)",
  "last_website_created_at is before the created_at of a website":
    "select id from accounts where last_website_created_at < (select max(created_at) " +
    "from websites where account_id = accounts.id)",
  "a website has no account": "select id from websites where account_id not in (select id from accounts)",
  "a domain exists twice": "select domain from websites group by account_id, domain having count(*) > 1",
} as const satisfies Record<string, string>;

/** Finds counts and marks that disagree. */
export async function findDisagreement(database: Pick<Database, "query">): Promise<string[]> {
  const found: string[] = [];
  for (const [meaning, sql] of Object.entries(disagreements)) {
    const rows = await database.query(sql);
    if (rows.length > 0) found.push(`${meaning} (${rows.length} times)`);
  }
  return found;
}
