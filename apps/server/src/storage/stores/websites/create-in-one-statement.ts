import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import { StorageError, storageUnavailable } from "../../storage-error.ts";
import type { StorageWriter } from "../../storage-writer.ts";
import { columnNames } from "../../tables/table.ts";
import { websites } from "../../tables/websites.ts";
import { assignWebsiteId } from "./assign-website-id.ts";
import { type AssignedColumns, toNewRow, toVersionedWebsite, type WebsiteRow } from "./website-row.ts";

/** How often a create runs again because what prevented it was gone when the reason was read. */
const maxAttempts = 100;

/**
 * Creates a website with one statement, so that it is one round trip and one commit.
 *
 * The statement changes nothing if the domain is taken or the limit is reached. A second read finds out which. If another
 * transaction takes the domain while the statement waits for the row of the account, the insert fails with a unique violation,
 * which also undoes the count. Then the statement runs again and finds the domain taken.
 */
export function prepareCreateInOneStatement(database: Database): StorageWriter["createWebsite"] {
  const insert = prepareInsert(database);
  const requireRoom = prepareRequireRoom(database);
  return async ({ accountId, website, at }) => {
    const row = toNewRow(accountId, website);
    for (let count = 1; count <= maxAttempts; count += 1) {
      const [inserted] = await database.writeOne(insert({ ...row, at }));
      if (inserted !== undefined) {
        return toVersionedWebsite({ ...row, ...inserted, updated_at: inserted.created_at });
      }
      await requireRoom({ accountId, domain: website.domain });
    }
    throw storageUnavailable(new Error(`The websites of account ${accountId} changed too often.`));
  };
}

type GivenColumns = Omit<WebsiteRow, keyof AssignedColumns>;

/**
 * The row of the account is updated first. This waits for other creates of the account, and then sees the count that they
 * left. The condition on the domain sees only what was committed before the statement began.
 */
function prepareInsert(database: Database) {
  return prepare((value: Placeholder<GivenColumns & { at: number }>) => {
    const owner = database.build
      .selectFrom("websites")
      .select("id")
      .where("account_id", "=", value("account_id"))
      .where("domain", "=", value("domain"));
    const assign = assignWebsiteId(database, value)
      .where(({ or, eb, ref }) => or([eb("website_limit", "is", null), eb("website_count", "<", ref("website_limit"))]))
      .where(({ not, exists }) => not(exists(owner)));
    return database.build
      .with("account", () => assign)
      .insertInto("websites")
      .columns(columnNames(websites))
      .expression(({ selectFrom }) => selectFrom("account").select(rowOf(value)))
      .returning(["id", "created_at"]);
  });
}

const assignedFrom = {
  id: "account.last_website_id",
  created_at: "account.last_website_created_at",
  updated_at: "account.last_website_created_at",
} as const satisfies Record<keyof AssignedColumns, string>;

/** The values of the new row, in the order of the table's columns. */
function rowOf(value: Placeholder<GivenColumns>) {
  return columnNames(websites).map((name) =>
    (isAssigned(name) ? sql.ref(assignedFrom[name]) : sql`${value(name)}`).as(name),
  );
}

function isAssigned(name: keyof WebsiteRow): name is keyof AssignedColumns {
  return name in assignedFrom;
}

/** Returns a function that throws the reason why an account cannot get a website with this domain, if there still is one. */
function prepareRequireRoom({ build, primary }: Database) {
  const find = prepare((value: Placeholder<{ accountId: number; domain: string }>) =>
    build
      .selectFrom("accounts")
      .leftJoin("websites", (join) =>
        join.on("websites.account_id", "=", value("accountId")).on("websites.domain", "=", value("domain")),
      )
      .select(["accounts.website_count", "accounts.website_limit", "websites.id as ownerId"])
      .where("accounts.id", "=", value("accountId")),
  );
  return async ({ accountId, domain }: { accountId: number; domain: string }): Promise<void> => {
    const [account] = await primary.read(find({ accountId, domain }));
    if (account === undefined) throw new Error(`Account ${accountId} does not exist.`);
    const { website_count: count, website_limit: limit, ownerId } = account;
    if (ownerId !== null) throw new StorageError({ reason: "domain-taken", domain, websiteId: ownerId });
    if (limit !== null && count >= limit) throw new StorageError({ reason: "website-limit-reached", limit });
  };
}
