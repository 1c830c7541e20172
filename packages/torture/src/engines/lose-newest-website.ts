import type { Database } from "./database.ts";

/** Deletes the newest website of the first account without the server, and keeps the counts in agreement. */
export async function loseNewestWebsite(database: Pick<Database, "query">): Promise<void> {
  const ofAccount = "from websites where account_id = 1";
  await database.query(`delete ${ofAccount} and id = (select max(id) ${ofAccount})`);
  await database.query(`update accounts set website_count = (select count(*) ${ofAccount}) where id = 1`);
}
