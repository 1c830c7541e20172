import type { Engine } from "./engines.ts";
import { domainOf, type Layout } from "./layout.ts";

/** How many websites to add to every account. */
export interface FillRange {
  readonly layout: Layout;
  /** The number of websites that each account has. */
  readonly from: number;
  /** The number of websites that each account will have. */
  readonly to: number;
}

const rowsPerTransaction = 5_000;
/** A statement can have 32,766 parameters on SQLite and 65,535 on PostgreSQL. */
const rowsPerInsert = 500;

/** Creates the accounts, without websites and limits. */
export async function createAccounts({ storage }: Engine, { accounts }: Layout): Promise<void> {
  const by = { apiKey: null, operator: "bench", requestId: null };
  for (let number = 1; number <= accounts; number += 1) {
    await storage.accounts.create({ name: `Acme ${number}`, email: "owner@acme.example", websiteLimit: null }, by);
  }
}

/** Writes websites as `create` does, but many in one transaction. All accounts grow at the same pace. */
export async function fill({ database }: Engine, { layout, from, to }: FillRange): Promise<void> {
  let batch: NewRow[] = [];
  for (let id = from + 1; id <= to; id += 1) {
    for (let accountId = 1; accountId <= layout.accounts; accountId += 1) {
      batch.push(toRow(accountId, id, domainOf(layout, accountId, id)));
      if (batch.length < rowsPerTransaction) continue;
      await write(database, batch);
      batch = [];
    }
  }
  await write(database, batch);
  const totals = { website_count: to, last_website_id: to, last_website_created_at: to };
  await database.write((transaction) => transaction.write(database.build.updateTable("accounts").set(totals)));
}

type NewRow = ReturnType<typeof toRow>;

function toRow(accountId: number, id: number, domain: string) {
  return {
    account_id: accountId,
    id,
    domain,
    unicode_domain: null,
    privacy: 0,
    password_hash: null,
    email: 0,
    exclude_bots: 1,
    exclude_params: "[]",
    exclude_ips: "[]",
    version: 1,
    created_at: id,
    updated_at: id,
  } as const;
}

async function write(database: Engine["database"], batch: readonly NewRow[]): Promise<void> {
  const rows = batch.toSorted((left, right) => left.account_id - right.account_id || left.id - right.id);
  await database.write(async (transaction) => {
    for (let start = 0; start < rows.length; start += rowsPerInsert) {
      const insert = database.build.insertInto("websites");
      await transaction.write(insert.values(rows.slice(start, start + rowsPerInsert)));
    }
    for (const { account_id: accountId, id } of rows) {
      await database.websiteSearch.add(transaction, { accountId, id });
    }
  });
}
