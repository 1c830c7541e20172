import { AccountRows } from "@siteward/testing/engines/account-rows";
import { createDatabase } from "@siteward/testing/engines/create-database";
import type { Database, EngineName } from "@siteward/testing/engines/database";
import { operate } from "@siteward/testing/servers/operate";

/** An account with a few websites, and another with many, whose domains all contain {@link heldTerm}. */
export interface Tenants extends Database {
  /** Keys of the own account. */
  readonly keys: Readonly<Record<"own" | "expired" | "revoked", string>>;
}

/** An index by rowid reads an account after those with lower IDs. Only this order showed that their matches cost time. */
const otherAccountId = 1;
const ownAccountId = 2;

/** Part of every domain of the other account, and of no domain of the own account. */
export const heldTerm = "qzj";
const ownWebsites = 3;
/** An ID that only the other account has. */
export const foreignId = 77;
export const neverId = 4_000_000;

/** Writes the rows into one database, and copies them into another with the operator's command, which builds the indexes. */
export async function createTenants(engine: EngineName, websites: number): Promise<Tenants> {
  await using source = await createDatabase(engine, { isMigrated: true });
  const keys = await insertKeys(source);
  await insertWebsites(source, {
    accountId: ownAccountId,
    count: ownWebsites,
    domain: "'own-' || n || '.example.com'",
  });
  const domain = `'d' || n || '-${heldTerm}.example.com'`;
  await insertWebsites(source, { accountId: otherAccountId, count: websites, domain });
  const database = await createDatabase(engine);
  await operate(source.url, ["copy", "--from", source.url, "--to", database.url]);
  return { ...database, keys };
}

async function insertKeys(database: Database): Promise<Tenants["keys"]> {
  const rows = new AccountRows(database);
  // The IDs are those of `otherAccountId` and `ownAccountId`.
  const [, own] = [rows.addAccount(), rows.addAccount()];
  const keys = {
    own: rows.addApiKey(own),
    expired: rows.addApiKey(own, { expiresInMs: -60_000 }),
    revoked: rows.addApiKey(own),
  };
  rows.revokeApiKey(keys.revoked);
  await rows.written();
  return keys;
}

interface NewWebsites {
  readonly accountId: number;
  readonly count: number;
  /** SQL that builds a domain from the number n. */
  readonly domain: string;
}

async function insertWebsites(database: Database, { accountId, count, domain }: NewWebsites): Promise<void> {
  const nowMs = Date.now();
  await database.query(
    "insert into websites (account_id, id, domain, privacy, password_hash, email, exclude_bots, exclude_params, exclude_ips, " +
      "version, created_at, updated_at) with recursive numbers (n) as (select 1 union all select n + 1 from numbers " +
      `where n < ${count}) select ${accountId}, n, ${domain}, 0, null, 0, 1, '[]', '[]', 1, ${nowMs}, ${nowMs} from numbers`,
  );
  await database.query(
    `update accounts set website_count = ${count}, last_website_id = ${count}, last_website_created_at = ${nowMs} ` +
      `where id = ${accountId}`,
  );
}
