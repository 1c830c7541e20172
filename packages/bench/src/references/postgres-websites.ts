import pg from "pg";
import { columns, initialColumns, initialValues, toAnswer, toPage, type WebsiteRow } from "./website-row.ts";
import { accountId, type Websites } from "./websites.ts";

const int8Oid = 20;
const connections = 10;

/** The same operations on PostgreSQL, each one prepared statement and one round trip. */
export function openPostgresWebsites(databaseUrl: string): Websites {
  pg.types.setTypeParser(int8Oid, Number);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
  const query = async (name: keyof typeof statements, ...values: unknown[]) => {
    const { rows } = await pool.query<WebsiteRow & { readonly total: number }>({
      name,
      text: statements[name],
      values,
    });
    return rows;
  };
  return {
    getOne: async (id) => toAnswer((await query("getOne", accountId, id))[0]),
    listTen: async () => toListPage(await query("listTen", accountId)),
    search: async (term) => toListPage(await query("search", accountId, toGrams(term), `%${term}%`)),
    create: async ({ domain, exclude_ips = [] }) =>
      toAnswer((await query("create", accountId, domain, JSON.stringify(exclude_ips), Date.now()))[0]),
    update: async (id, { exclude_params: params }) =>
      toAnswer((await query("update", accountId, id, JSON.stringify(params), Date.now()))[0]),
  };
}

const isMatch = "account_id = $1 and website_grams(account_id, domain) @> $2::text[] and domain like $3";

const statements = {
  getOne: `select ${columns} from websites where account_id = $1 and id = $2`,
  listTen: `select ${columns}, (select website_count from accounts where id = $1) as total
    from websites where account_id = $1 order by id desc limit 11`,
  search: `with matches as materialized (select * from websites where ${isMatch})
    select ${columns}, (select count(*) from (select 1 from matches limit 10001) as counted) as total
    from matches order by id desc limit 11`,
  create: `with account as (
      update accounts set website_count = website_count + 1, last_website_id = last_website_id + 1,
        last_website_created_at = greatest(last_website_created_at, $4) where id = $1
      returning last_website_id as id, last_website_created_at as now
    )
    insert into websites (account_id, id, domain, exclude_ips, version, created_at, updated_at, ${initialColumns})
    select $1, id, $2, $3, 1, now, now, ${initialValues} from account returning ${columns}`,
  update: `update websites set exclude_params = $3, version = version + 1, updated_at = greatest(updated_at, $4)
    where account_id = $1 and id = $2 returning ${columns}`,
} as const;

function toListPage(rows: ReadonlyArray<WebsiteRow & { readonly total: number }>): object {
  return toPage(
    rows.map(({ total, ...row }) => row),
    rows[0]?.total ?? 0,
  );
}

function toGrams(term: string): string[] {
  return Array.from({ length: term.length - 2 }, (_, start) => `${accountId}:${term.slice(start, start + 3)}`);
}
