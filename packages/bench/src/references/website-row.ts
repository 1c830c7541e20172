/** A row of the table, with the columns that an answer contains. */
export interface WebsiteRow {
  readonly id: number;
  readonly domain: string;
  readonly privacy: number;
  readonly has_password: number | boolean;
  readonly email: number;
  readonly exclude_bots: number;
  readonly exclude_params: string;
  readonly exclude_ips: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** The select list of a `WebsiteRow`. */
export const columns =
  "id, domain, privacy, password_hash is not null as has_password, email, exclude_bots, exclude_params, exclude_ips, created_at, updated_at";

/** Returns the record as it is in an answer. */
function toRecord(row: WebsiteRow): object {
  return {
    ...row,
    has_password: Boolean(row.has_password),
    exclude_params: JSON.parse(row.exclude_params),
    exclude_ips: JSON.parse(row.exclude_ips),
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

/** Returns the answer with one record, or undefined. */
export function toAnswer(row: WebsiteRow | undefined): object | undefined {
  return row === undefined ? undefined : { data: toRecord(row) };
}

/** Returns the answer with a page. */
export function toPage(rows: readonly WebsiteRow[], total: unknown): object {
  return { data: rows.slice(0, 10).map(toRecord), meta: { per_page: 10, total } };
}
