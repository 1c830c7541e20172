import { DatabaseSync } from "node:sqlite";
import { columns, initialColumns, initialValues, toAnswer, toPage, type WebsiteRow } from "./website-row.ts";
import { accountId, type NewWebsite, type Websites } from "./websites.ts";

/** The operations on a file that the server created. */
export interface SqliteWebsites extends Websites {
  /** Runs work in one transaction, which is durable when this returns. */
  readonly inTransaction: <Result>(work: () => Result) => Result;
  /** Creates a website in the current transaction. */
  readonly insert: (website: NewWebsite) => object | undefined;
  readonly close: () => void;
}

const rowid = "(cast(? as integer) * 4294967296 + cast(? as integer))";
/**
 * The search index contains complete blocks of ids, which end at other ids in each account. The websites after the last one are
 * compared with the term.
 */
const blockIds = 128;
const mergeIds = 16;
const mergePages = 10;
const lastIndexed = `(select last_website_id - (last_website_id + id) % ${blockIds} from accounts where id = ?)`;
const indexedMatch =
  `domain_parts match ? and rowid between ${rowid} ` + `and cast(? as integer) * 4294967296 + ${lastIndexed}`;
const recentMatch = `account_id = ? and id > ${lastIndexed} and instr(domain, ?) > 0`;

/** Opens a file with the settings of the server, and prepares the queries. */
export function openSqliteWebsites(file: string): SqliteWebsites {
  const database = new DatabaseSync(file, { timeout: 5_000, enableForeignKeyConstraints: true });
  database.exec(`pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on;
    pragma cache_size = -32768; pragma temp_store = memory`);
  const { insert, change } = prepareWrites(database);
  const inTransaction = prepareTransaction(database);
  return {
    ...prepareReads(database),
    insert,
    inTransaction,
    create: (website) => inTransaction(() => insert(website)),
    update: (...changed) => inTransaction(() => change(...changed)),
    close: () => database.close(),
  };
}

// node:sqlite types a row as a record of unknown values. In all queries with `columns`, it is a `WebsiteRow`.

function prepareReads(database: DatabaseSync): Pick<Websites, "getOne" | "listTen" | "search"> {
  const one = database.prepare(`select ${columns} from websites where account_id = ? and id = ?`);
  const ten = database.prepare(`select ${columns} from websites where account_id = ? order by id desc limit 11`);
  const count = database.prepare("select website_count as total from accounts where id = ?");
  const countMatches = database.prepare(`select count(*) as total from (
    select 1 from domain_parts where ${indexedMatch}
    union all select 1 from websites where ${recentMatch} limit 10001)`);
  const matches = database.prepare(`select ${columns} from websites where account_id = ? and id in (
    select * from (select rowid - ${rowid} from domain_parts where ${indexedMatch} order by rowid desc limit 11)
    union all select id from websites where ${recentMatch}) order by id desc limit 11`);
  return {
    getOne: (id) => toAnswer(one.get(accountId, id) as WebsiteRow | undefined),
    listTen: () => toPage(ten.all(accountId) as unknown as WebsiteRow[], count.get(accountId)?.["total"]),
    search: (term) => {
      const indexed = [toSearchPhrase(accountId, term), accountId, 0, accountId, accountId];
      const recent = [accountId, accountId, term];
      const rows = matches.all(accountId, accountId, 0, ...indexed, ...recent) as unknown as WebsiteRow[];
      return toPage(rows, countMatches.get(...indexed, ...recent)?.["total"]);
    },
  };
}

function prepareWrites(database: DatabaseSync): { insert: SqliteWebsites["insert"]; change: Websites["update"] } {
  const assignId = database.prepare(`update accounts set website_count = website_count + 1,
    last_website_id = last_website_id + 1, last_website_created_at = max(last_website_created_at, ?)
    where id = ? returning last_website_id as id, last_website_created_at as created_at`);
  const insert =
    database.prepare(`insert into websites (account_id, id, domain, exclude_ips, version, created_at, updated_at,
    ${initialColumns}) values (?, ?, ?, ?, 1, ?, ?, ${initialValues})
    returning ${columns}`);
  const index = prepareIndex(database);
  const update = database.prepare(`update websites set exclude_params = ?, version = version + 1,
    updated_at = max(updated_at, ?) where account_id = ? and id = ? returning ${columns}`);
  return {
    insert: ({ domain, exclude_ips = [] }) => {
      const { id = 0, created_at: now = 0 } = assignId.get(Date.now(), accountId) ?? {};
      const row = insert.get(accountId, id, domain, JSON.stringify(exclude_ips), now, now);
      index(Number(id));
      return toAnswer(row as WebsiteRow | undefined);
    },
    change: (id, { exclude_params: params }) =>
      toAnswer(update.get(JSON.stringify(params), Date.now(), accountId, id) as WebsiteRow | undefined),
  };
}

/** Maintains the search index as the server does, by ids. */
function prepareIndex(database: DatabaseSync): (id: number) => void {
  const block = database.prepare("select id, domain from websites where account_id = ? and id > ? and id <= ?");
  const insert = database.prepare(`insert into domain_parts (rowid, parts) values (${rowid}, ?)`);
  const merge = database.prepare(`insert into domain_parts (domain_parts, rank) values ('merge', ${mergePages})`);
  return (id) => {
    if ((id + accountId) % blockIds === 0) {
      for (const row of block.all(accountId, id - blockIds, id)) {
        insert.run(accountId, Number(row["id"]), toSearchParts(accountId, String(row["domain"])));
      }
    } else if ((id + accountId) % mergeIds === 0) merge.run();
  };
}

function prepareTransaction(database: DatabaseSync): SqliteWebsites["inTransaction"] {
  const [begin, commit] = ["begin immediate", "commit"].map((command) => database.prepare(command));
  return (work) => {
    begin?.run();
    const result = work();
    commit?.run();
    return result;
  };
}

/** Returns what the search index of SQLite contains for a domain: its parts of one to three characters, with the account in front. */
function toSearchParts(accountId: number, domain: string): string {
  const pairs = new Set(partsOf(domain, 2));
  const characters = new Set(domain);
  return [...partsOf(domain, 3), ...pairs, ...characters].map((part) => `${accountId}:${part}`).join(" ");
}

/** Returns the phrase that finds a term of three characters or more. */
function toSearchPhrase(accountId: number, term: string): string {
  return `"${partsOf(term, 3)
    .map((part) => `${accountId}:${part}`)
    .join(" ")}"`;
}

function partsOf(text: string, length: number): string[] {
  return Array.from({ length: Math.max(0, text.length - length + 1) }, (_, start) => text.slice(start, start + length));
}
