import { type Created, StorageError, storageUnavailable } from "@siteward/service";
import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { type Placeholder, type Prepared, prepare } from "../../database/prepare.ts";
import { rowFrom } from "../../database/row-from.ts";
import { prepareTakeOutcome } from "../../reads/idempotency/find-outcome.ts";
import { type KeptCreation, keptSettings, replayCreation } from "../../reads/idempotency/kept-creation.ts";
import { type KeptOutcomeRow, readResult } from "../../reads/idempotency/outcome.ts";
import { idempotencyKeys } from "../../tables/idempotency-keys.ts";
import { columnNames } from "../../tables/table.ts";
import { websites } from "../../tables/websites.ts";
import { type AuditEntryRow, toAuditEntryRow } from "../audit/audit-entry.ts";
import { insertAuditEntryFrom } from "../audit/insert-audit-entry-from.ts";
import type { StorageWriter, WebsiteCreation } from "../storage-writer.ts";
import { assignWebsiteId } from "./assign-website-id.ts";
import { toNewRow, toVersionedWebsite, type UnassignedRow } from "./website-row.ts";

/** How often a create runs again because what prevented it was gone when the reason was read. */
const maxAttempts = 100;

/**
 * Creates a website with one statement, so that it is one round trip and one commit.
 *
 * The statement changes nothing if the domain is taken, the limit is reached, or the idempotency key was used. A second read
 * finds out which. If another transaction takes the domain or the key while the statement waits for the row of the account,
 * the insert fails with a unique violation, which also undoes the count. Then the statement runs again and finds it taken.
 */
export function prepareCreateInOneStatement(database: Database): StorageWriter["createWebsite"] {
  const insert = prepareInsert(database);
  const insertKept = prepareInsertKept(database);
  const findCreation = prepareFindCreation(database);
  const requireRoom = prepareRequireRoom(database);
  return async (creation) => {
    const { accountId, website, idempotency } = creation;
    const row = toNewRow(accountId, website);
    const values = toValues(creation, row);
    const statement =
      idempotency === undefined ? insert(values) : insertKept({ ...values, ...toKeptValues(row, idempotency) });
    for (let count = 1; count <= maxAttempts; count += 1) {
      const [inserted] = await database.writeOne(statement);
      if (inserted !== undefined) {
        const versioned = toVersionedWebsite({ ...row, ...inserted, updated_at: inserted.created_at });
        return { ...versioned, isReplay: false };
      }
      const earlier = await findCreation(creation);
      if (earlier !== undefined) return earlier;
      await requireRoom({ accountId, domain: website.domain });
    }
    throw storageUnavailable(new Error(`The websites of account ${accountId} changed too often.`));
  };
}

/** What the account assigns to an entry of the audit trail. */
type GivenEntry = Omit<AuditEntryRow, "at" | "subject_id">;
type Values = UnassignedRow & GivenEntry & { at: number };

function toValues({ accountId, audit, at }: WebsiteCreation, row: UnassignedRow): Values {
  const { subject_id: _, ...entry } = toAuditEntryRow(
    { accountId, subject: "website", subjectId: 0, version: row.version, action: "website.created", at },
    audit,
  );
  return { ...row, ...entry };
}

/**
 * The row of the account is updated first. This waits for other creates of the account, and then sees the count that they
 * left. The conditions on the domain and the key see only what was committed before the statement began.
 */
function prepareInsert(database: Database): Prepared<Values, NewWebsite> {
  return prepare((value: Placeholder<Values>) =>
    withNewWebsite(database, value, assign(database, value)).selectFrom("created").select(["id", "created_at"]),
  );
}

type NewWebsite = { readonly id: number; readonly created_at: number };
type KeptValues = Pick<KeptOutcomeRow, "key" | "fingerprint"> & { settings: string };

function toKeptValues(
  row: UnassignedRow,
  { key, fingerprint }: NonNullable<WebsiteCreation["idempotency"]>,
): KeptValues {
  return { key, fingerprint, settings: JSON.stringify(keptSettings(row)) };
}

/** Also keeps the outcome for an idempotency key, if that was not used. */
function prepareInsertKept(database: Database): Prepared<Values & KeptValues, NewWebsite> {
  return prepare((value: Placeholder<Values & KeptValues>) => {
    const used = database.build
      .selectFrom("idempotency_keys")
      .select("key")
      .where("account_id", "=", value("account_id"))
      .where("key", "=", value("key"));
    const assignOnce = assign(database, value).where(({ not, exists }) => not(exists(used)));
    // The stored form of a `KeptCreation`, with the id that is assigned here. Casts are immutable and `concat` is only stable,
    // which distributed databases may refuse in a change.
    const id = sql`cast(created.id as text)`;
    const at = sql`cast(created.created_at as text)`;
    const settings = sql`cast(${value("settings")} as text)`;
    const outcome = sql`'{"result":{"id":' || ${id} || ',"at":' || ${at} || ',"settings":' || ${settings} || '}}'`;
    return withNewWebsite(database, value, assignOnce)
      .with("kept", (after) =>
        after
          .insertInto("idempotency_keys")
          .columns(columnNames(idempotencyKeys))
          .expression(({ selectFrom }) =>
            selectFrom("created").select(rowFrom(idempotencyKeys, value, { outcome, created_at: sql`${value("at")}` })),
          ),
      )
      .selectFrom("created")
      .select(["id", "created_at"]);
  });
}

/** Assigns the next id if the account has room and the domain is free. */
function assign(database: Database, value: Placeholder<Values>) {
  const owner = database.build
    .selectFrom("websites")
    .select("id")
    .where("account_id", "=", value("account_id"))
    .where("domain", "=", value("domain"));
  return assignWebsiteId(database, value)
    .where(({ or, eb, ref }) => or([eb("website_limit", "is", null), eb("website_count", "<", ref("website_limit"))]))
    .where(({ not, exists }) => not(exists(owner)));
}

/** Adds the insert of the website and of its entry in the audit trail to the statement that assigns the id. */
function withNewWebsite({ build }: Database, value: Placeholder<Values>, assigned: ReturnType<typeof assign>) {
  const createdAt = sql.ref("account.last_website_created_at");
  const assignedColumns = { id: sql.ref("account.last_website_id"), created_at: createdAt, updated_at: createdAt };
  return build
    .with("account", () => assigned)
    .with("created", (after) =>
      after
        .insertInto("websites")
        .columns(columnNames(websites))
        .expression(({ selectFrom }) => selectFrom("account").select(rowFrom(websites, value, assignedColumns)))
        .returning(["id", "created_at"]),
    )
    .with("audited", () =>
      insertAuditEntryFrom("created", value, { at: sql.ref("created.created_at"), subject_id: sql.ref("created.id") }),
    );
}

/** Returns a function that finds the creation of an earlier request with the same idempotency key. */
function prepareFindCreation(database: Database) {
  const take = prepareTakeOutcome(database);
  return async ({ accountId, idempotency, at }: WebsiteCreation): Promise<Created | undefined> => {
    if (idempotency === undefined) return undefined;
    const key = { account_id: accountId, key: idempotency.key };
    const kept = await take({ read: database.primary.read, write: database.writeOne }, key, at);
    return kept === undefined ? undefined : replayCreation(readResult<KeptCreation>(kept, idempotency));
  };
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
