import type { ExpressionBuilder } from "kysely";
import type { Database } from "../../database/database.ts";
import type { Placeholder } from "../../database/prepare.ts";
import { rowOf, type StepTools } from "../../run/steps.ts";
import type { Schema } from "../../tables/schema.ts";
import type { AuditEntryRow } from "../audit/audit-entry.ts";

/**
 * Builds the columns of an account that give a change of one of its websites the next number. Every change of websites locks the row
 * of the account until it is committed. So the changes have the numbers in the order of their commits, without gaps, whatever the
 * clocks say.
 */
export function countChange<At>(column: ExpressionBuilder<Schema, "accounts">, at: At) {
  return { change_count: column("change_count", "+", 1), changed_at: at };
}

/** Adds the entry in the audit trail, with the number that the step `counted` gave the change. */
export function addCountedEntry({
  value,
  of,
  insertAfter,
}: StepTools<AuditEntryRow, { readonly counted: { readonly number: number } }>) {
  return insertAfter("counted", "audit_entries", rowOf("audit_entries", value, { position: of("counted", "number") }));
}

/**
 * Locks the row of the account, as a create does first. If a website's row were locked first, a create of the same domain could wait
 * for a delete while the delete waits for the create. If an update locked it only to count, it could wait for a delete that waits for
 * the website.
 */
export function lockAccount(
  { forUpdate }: Database["dialect"],
  {
    build,
    value,
  }: { readonly build: StepTools<unknown, unknown>["build"]; readonly value: Placeholder<{ account_id: number }> },
) {
  return build.selectFrom("accounts").select("id").where("id", "=", value("account_id")).modifyEnd(forUpdate);
}
