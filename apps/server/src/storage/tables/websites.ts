import { toUnicodeDomain, type Website } from "@siteward/contract";
import type { VersionedWebsite } from "@siteward/service";
import { listNames, type Sql, sql } from "./sql.ts";
import { defineTable, type Row, stored } from "./table.ts";

/**
 * Websites. To add a field, add its column here, its line in `fields`, and a migration. Select lists, records, inserts
 * and copies follow from them. The primary key begins with the account, and so does every query.
 */
export const websites = defineTable({
  name: "websites",
  columns: {
    account_id: stored<number>(),
    id: stored<number>(),
    /** In canonical form. */
    domain: stored<string>(),
    privacy: stored<0 | 1 | 2>(),
    /** Argon2id PHC string, or null if there is no password. */
    password_hash: stored<string | null>(),
    email: stored<0 | 1>(),
    exclude_bots: stored<0 | 1>(),
    /** JSON arrays of strings. */
    exclude_params: stored<string>(),
    exclude_ips: stored<string>(),
    /** Counts from 1 and rises with every change. */
    version: stored<number>(),
    /** In milliseconds since 1970. */
    created_at: stored<number>(),
    updated_at: stored<number>(),
    /** The Unicode form of the domain, to search in. Null if it is the same. `unicodeDomain` returns it. */
    unicode_domain: stored<string | null>(),
  },
  key: ["account_id", "id"],
  distributedBy: "account_id",
});

export type WebsiteRow = Row<typeof websites>;

/** Returns what `websites.unicode_domain` stores for a canonical domain: its Unicode form, or null if it is the same. */
export function unicodeDomain(domain: string): string | null {
  // Almost no domain. To convert one takes 0.5 µs, and 3 µs for each label in Punycode.
  if (!domain.includes("xn--")) return null;
  const unicode = toUnicodeDomain(domain);
  return unicode === domain ? null : unicode;
}

/** Converts between the stored and the shown value of a column. */
interface Codec<Stored, Shown> {
  show(stored: Stored): Shown;
  store(shown: Shown): Stored;
}

const strings: Codec<string, string[]> = {
  // Most lists are empty, and `JSON.parse` takes longer than all else. Only `store` writes the column.
  show: (json) => (json === "[]" ? [] : (JSON.parse(json) as string[])),
  store: (entries) => JSON.stringify(entries),
};

let lastTime = { ms: 0, text: new Date(0).toISOString() };

/** A time, shown in RFC 3339 in UTC. */
const time: Codec<number, string> = {
  /** Caches the last result: most records have two equal times, and `toISOString` takes 0.2 µs. */
  show(ms) {
    if (ms !== lastTime.ms) lastTime = { ms, text: new Date(ms).toISOString() };
    return lastTime.text;
  },
  store: (text) => Date.parse(text),
};

/**
 * How the record of the interface shows each column, in its order of fields (docs/interface.md, section 3). Does not
 * compile if a field of the contract's record is missing, or has another type than its column.
 */
const fields: {
  readonly [Name in keyof Website]: Name extends keyof WebsiteRow
    ? Website[Name] extends WebsiteRow[Name]
      ? "as stored"
      : Codec<WebsiteRow[Name], Website[Name]>
    : "whether it is stored";
} = {
  id: "as stored",
  domain: "as stored",
  privacy: "as stored",
  has_password: "whether it is stored",
  email: "as stored",
  exclude_bots: "as stored",
  exclude_params: strings,
  exclude_ips: strings,
  created_at: time,
  updated_at: time,
};

const named = Object.entries(fields);
/** The cast is safe: a codec converts what the column of its name stores, as the type of `fields` says. */
const codecs = new Map(named.filter(([, form]) => typeof form !== "string") as [string, Codec<unknown, unknown>][]);
/** How the value that a query returns is converted. Undefined if the record shows that value. */
const shownFields = named.map(([name, form]) => {
  return { name, show: form === "as stored" ? undefined : (codecs.get(name)?.show ?? Boolean) };
});

/** The select list of a record and its version, which `readVersioned` reads. A query may select more after it. */
export const versionedColumns: Sql = sql`${listNames(
  named.map(([name]) => name),
  // The value may be a secret, so the query does not return it.
  (name) => (name.startsWith("has_") ? sql`websites.password_hash is not null` : sql`websites.${name}`),
)}, websites.version`;
/** How many values these are. */
export const versionedLength: number = shownFields.length + 1;

export function readVersioned(values: readonly unknown[]): VersionedWebsite {
  return { website: read(values), version: Number(values[shownFields.length]) };
}

/** Reads the record of an outer join. It is undefined if the join found none. */
export function readIfFound(values: readonly unknown[]): VersionedWebsite | undefined {
  return values[0] === null ? undefined : readVersioned(values);
}

/** The values that callers write: in the form that the record shows, or in the stored form if the record does not show them. */
type Values = Partial<Omit<Website, "has_password"> & Pick<WebsiteRow, "password_hash">>;

export const websiteRecord = {
  fromRow(row: WebsiteRow): Website {
    const values: Readonly<Record<string, unknown>> = { ...row, has_password: row.password_hash !== null };
    return read(shownFields.map(({ name }) => values[name]));
  },
  /** Returns the values of some columns in the stored form. Undefined values are omitted. */
  toStored<Given extends Values>(values: Given) {
    const row: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(values)) {
      const codec = codecs.get(name);
      if (value !== undefined) row[name] = codec === undefined ? value : codec.store(value);
    }
    // The cast is safe: the loop has stored each of the values.
    return row as { [Name in keyof Given]: Name extends keyof WebsiteRow ? WebsiteRow[Name] : never };
  },
};

function read(values: readonly unknown[]): Website {
  const record: Record<string, unknown> = {};
  let place = 0;
  for (const { name, show } of shownFields) {
    const value = values[place];
    record[name] = show === undefined ? value : show(value);
    place += 1;
  }
  // The cast is safe: the loop has set every field.
  return record as unknown as Website;
}
