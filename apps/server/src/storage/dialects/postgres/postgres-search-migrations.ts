import { sql } from "kysely";
import type { WriteConnection } from "../connection.ts";
import { isUnsupportedByServer } from "./postgres-error.ts";

/**
 * Makes the index, where the engine can: some that speak the protocol take no function in one. The search does without.
 *
 * A search reads all records that wait to be taken into the index, so these are kept few. Without statistics the engine
 * takes any part of a domain for rare, and uses the index. The function is not safe for parallel plans, which would
 * take longer to start than a search takes; in SQL it would take two thirds longer.
 */
export async function createWebsiteSearch(transaction: WriteConnection): Promise<void> {
  await transaction.write(sql`savepoint without_search`);
  try {
    await transaction.write(sql`create function website_grams(account_id bigint, domain text) returns text[]
      language plpgsql immutable strict as $$
        declare
          account text := account_id::text || ':';
          grams text[] := '{}';
        begin
          for start in 1 .. length(domain) loop
            grams := grams || array[
              account || substr(domain, start, 1), account || substr(domain, start, 2), account || substr(domain, start, 3)
            ];
          end loop;
          return grams;
        end
      $$`);
    await transaction.write(sql`create index websites_search on websites using gin (website_grams(account_id, domain))
      with (gin_pending_list_limit = 256)`);
    await transaction.write(sql`alter index websites_search alter column 1 set statistics 0`);
  } catch (error) {
    if (!isUnsupportedByServer(error)) throw error;
    await transaction.write(sql`rollback to savepoint without_search`);
  }
}
