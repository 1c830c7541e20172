import type { Database } from "../engines/database.ts";
import { insertAccounts } from "../engines/insert-accounts.ts";
import type { Attack } from "../row.ts";

/** A few websites of the first account, and many of the second, each of which holds {@link heldTerm} in its domain. */
export interface Tenants {
  readonly database: Database;
  /** Of the first account, but for `other`. */
  readonly keys: Readonly<Record<KeyName, string>>;
}

export type KeyName = "own" | "reading" | "writing" | "accountOnly" | "expired" | "revoked" | "toRevoke" | "other";

/** A part of every domain of the second account, and of none of the first. */
export const heldTerm = "qzj";
/** A part of no domain. */
export const freeTerm = "qxj";
export const ownIds = [1, 2, 3] as const;
/** An id that only the second account has. */
export const foreignId = 77;
export const neverId = 4_000_000;

/** A domain of the second account. */
export function domainOfSecond(number: number): string {
  return `d${number}-${heldTerm}.example.com`;
}

const keysOfFirst = [
  {},
  { scopes: ["websites:read"] },
  { scopes: ["websites:write"] },
  { scopes: ["account:read"] },
  { isExpired: true },
  { isRevoked: true },
  {},
];

/** Writes the rows into one database, and has the operator's command copy them into another, which makes the indexes. */
export async function createTenants(attack: Attack, websites: number): Promise<Tenants> {
  const source = await attack.createDatabase();
  await attack.operate(source, "migrate");
  const accounts = [keysOfFirst, [{}]].map((keys) => ({ websiteLimit: null, keys }));
  const [first, second] = await insertAccounts(source, attack.random, accounts);
  const nowMs = Date.now();
  await insertWebsites(source, { accountId: 1, count: ownIds.length, domain: "'own-' || n || '.example.com'", nowMs });
  await insertWebsites(source, {
    accountId: 2,
    count: websites,
    domain: `'d' || n || '-${heldTerm}.example.com'`,
    nowMs,
  });
  const database = await attack.createDatabase();
  await attack.operate(source, "copy", "--from", source.url, "--to", database.url);
  const [own = "", reading = "", writing = "", accountOnly = "", expired = "", revoked = "", toRevoke = ""] =
    first?.apiKeys ?? [];
  const [other = ""] = second?.apiKeys ?? [];
  return { database, keys: { own, reading, writing, accountOnly, expired, revoked, toRevoke, other } };
}

interface NewWebsites {
  readonly accountId: number;
  readonly count: number;
  /** SQL that makes a domain from the number n. */
  readonly domain: string;
  readonly nowMs: number;
}

async function insertWebsites(database: Database, { accountId, count, domain, nowMs }: NewWebsites): Promise<void> {
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
