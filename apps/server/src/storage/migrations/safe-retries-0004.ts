import { sql } from "kysely";
import type { DialectDefinitions, WriteConnection } from "../database/database.ts";
import type { Migration } from "./migration.ts";

/** Creates the audit trail and the kept outcomes of requests, and adds versions and rate limits. */
export const safeRetries: Migration = {
  version: 4,
  name: "safe-retries",
  async up(transaction, definitions) {
    await addColumns(transaction, definitions);
    await createIdempotencyKeys(transaction, definitions);
    await createAuditEntries(transaction, definitions);
  },
};

async function addColumns({ build, write }: WriteConnection, { integer }: DialectDefinitions): Promise<void> {
  for (const table of ["accounts", "api_keys"] as const) {
    await write(
      build.schema.alterTable(table).addColumn("version", integer, (column) => column.notNull().defaultTo(sql.lit(1))),
    );
  }
  await write(build.schema.alterTable("api_keys").addColumn("rate_limit", integer));
}

/** Outcomes are deleted in order of their age, account by account. */
async function createIdempotencyKeys(
  { build, write }: WriteConnection,
  { integer, text, clusteredTableEnd }: DialectDefinitions,
): Promise<void> {
  await write(
    build.schema
      .createTable("idempotency_keys")
      .addColumn("account_id", integer, (column) => column.notNull())
      .addColumn("key", text, (column) => column.notNull())
      .addColumn("fingerprint", text, (column) => column.notNull())
      .addColumn("outcome", text, (column) => column.notNull())
      .addColumn("created_at", integer, (column) => column.notNull())
      .addPrimaryKeyConstraint("idempotency_keys_primary_key", ["account_id", "key"])
      .modifyEnd(clusteredTableEnd),
  );
  await write(
    build.schema.createIndex("idempotency_keys_by_age").on("idempotency_keys").columns(["account_id", "created_at"]),
  );
}

/** The trail is read in order of time: of the account, of one record, or of one API key. */
async function createAuditEntries(
  { build, write }: WriteConnection,
  { integer, text, clusteredTableEnd }: DialectDefinitions,
): Promise<void> {
  await write(
    build.schema
      .createTable("audit_entries")
      .addColumn("account_id", integer, (column) => column.notNull())
      .addColumn("at", integer, (column) => column.notNull())
      .addColumn("subject", text, (column) => column.notNull())
      .addColumn("subject_id", integer, (column) => column.notNull())
      .addColumn("version", integer, (column) => column.notNull())
      .addColumn("action", text, (column) => column.notNull())
      .addColumn("api_key", text)
      .addColumn("operator", text)
      .addColumn("request_id", text)
      .addColumn("changes", text, (column) => column.notNull())
      .addPrimaryKeyConstraint("audit_entries_primary_key", ["account_id", "at", "subject", "subject_id", "version"])
      .modifyEnd(clusteredTableEnd),
  );
  const bySubject = build.schema.createIndex("audit_entries_by_subject").on("audit_entries");
  await write(bySubject.columns(["account_id", "subject", "subject_id", "at", "version"]));
  const byApiKey = build.schema.createIndex("audit_entries_by_api_key").on("audit_entries");
  await write(byApiKey.columns(["account_id", "api_key", "at", "subject", "subject_id", "version"]));
}
