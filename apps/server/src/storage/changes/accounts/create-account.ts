import type { StoredAccount } from "@siteward/service";
import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import type { AccountStore } from "../../interface/storage.ts";
import { auditedFields, toAccount } from "../../reads/accounts/account-row.ts";
import { prepareRun } from "../../run/prepare-run.ts";
import { rowOf, Steps } from "../../run/steps.ts";
import { describeChanges } from "../../tables/audit-changes.ts";
import type { AccountRow } from "../../tables/schema.ts";
import { type AuditEntryRow, toAuditEntryRow } from "../audit/audit-entry.ts";

/** Creates an account under the next id. If another one gets the id at the same time, the change runs again. */
export function prepareCreateAccount(database: Database): AccountStore["create"] {
  const insert = prepareRun<Values, { id: number }>(database, { steps: creationSteps, result: "created" });
  return async ({ name, email, websiteLimit }, by): Promise<StoredAccount> => {
    const at = database.now();
    const row: NewRow = {
      name,
      email,
      website_count: 0,
      website_limit: websiteLimit,
      last_website_id: 0,
      last_website_created_at: 0,
      version: 1,
      created_at: at,
      updated_at: at,
      trail_day: 0,
      trail_bytes: 0,
      change_count: 0,
      changed_at: at,
      counted_since: at,
    };
    const record = {
      accountId: 0,
      subject: "account",
      subjectId: 0,
      version: 1,
      action: "account.created",
      at,
    } as const;
    const changes = describeChanges({}, auditedFields(row));
    const created = await insert({ ...row, ...toAuditEntryRow(record, { by, changes }) });
    if (created === undefined) throw new Error("The insert of an account returned no row.");
    return toAccount({ ...row, id: created.id });
  };
}

type NewRow = Omit<AccountRow, "id">;
type Values = NewRow & AuditEntryRow;

const creationSteps = new Steps<Values>()
  .step("assigned", ({ build }) =>
    build
      .selectFrom(({ selectFrom }) =>
        selectFrom("accounts")
          .select(({ fn }) => fn.max<number | null>("id").as("id"))
          .unionAll(selectFrom("account_deletions").select(({ fn }) => fn.max<number | null>("account_id").as("id")))
          .as("used"),
      )
      // An id of a deleted account is never used again.
      .select(sql<number>`coalesce(max(used.id), 0) + 1`.as("id")),
  )
  .step("created", ({ value, of, insertAfter }) =>
    insertAfter("assigned", "accounts", rowOf("accounts", value, { id: of("assigned", "id") })).returning("id"),
  )
  .step(
    "audited",
    ({ value, of, insertAfter }) => {
      const given = { account_id: of("created", "id"), subject_id: of("created", "id") };
      return insertAfter("created", "audit_entries", rowOf("audit_entries", value, given));
    },
    "last",
  ).list;
