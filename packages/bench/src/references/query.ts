import { DatabaseSync } from "node:sqlite";

interface Row {
  readonly id: number;
  readonly domain: string;
  readonly privacy: number;
  readonly has_password: number;
  readonly email: number;
  readonly exclude_bots: number;
  readonly exclude_params: string;
  readonly exclude_ips: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** The queries that the server runs for the same answers, and nothing else. */
export interface Query {
  /** Returns the record as in an answer, or undefined. */
  readonly getOne: (id: number) => object | undefined;
  /** Returns the newest ten records and the total. */
  readonly listTen: () => object;
}

const columns =
  "id, domain, privacy, password_hash is not null as has_password, email, exclude_bots, exclude_params, exclude_ips, created_at, updated_at";

/** Prepares the queries on a database file that the server created. */
export function openQuery(databaseFile: string): Query {
  const database = new DatabaseSync(databaseFile, { readOnly: true });
  const one = database.prepare(`select ${columns} from websites where account_id = ? and id = ?`);
  const ten = database.prepare(`select ${columns} from websites where account_id = ? order by id desc limit 11`);
  const count = database.prepare("select website_count as total from accounts where id = ?");
  return {
    getOne: (id) => {
      // node:sqlite types a row as a record of unknown values. The columns are those named above.
      const row = one.get(1, id) as Row | undefined;
      return row === undefined ? undefined : { data: toRecord(row) };
    },
    listTen: () => {
      const rows = ten.all(1) as unknown as Row[];
      return { data: rows.slice(0, 10).map(toRecord), meta: { per_page: 10, ...count.get(1) } };
    },
  };
}

function toRecord(row: Row): object {
  return {
    ...row,
    has_password: row.has_password === 1,
    exclude_params: JSON.parse(row.exclude_params),
    exclude_ips: JSON.parse(row.exclude_ips),
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}
