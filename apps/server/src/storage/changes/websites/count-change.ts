import type { ExpressionBuilder } from "kysely";
import type { Database } from "../../database/database.ts";
import type { Placeholder } from "../../database/prepare.ts";
import { rowOf, type StepTools } from "../../run/steps.ts";
import type { Schema } from "../../tables/schema.ts";
import type { AuditEntryRow } from "../audit/audit-entry.ts";
import { addTrailBytes, hasTrailRoom, type TrailValues } from "../audit/trail-limit.ts";

/**
 * Builds the columns of an account that give a change of one of its websites the next number. Every change of websites locks the row
 * of the account until it is committed. So the changes have the numbers in the order of their commits, without gaps, whatever the
 * clocks say. They also count what the change leaves in the trail.
 */
export function countChange<At>(
  column: ExpressionBuilder<Schema, "accounts">,
  value: Placeholder<TrailValues>,
  at: At,
) {
  return { change_count: column("change_count", "+", 1), changed_at: at, ...addTrailBytes(value) };
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
 * the website. An account that has left all that it may in the trail is not locked, and then nothing is changed.
 */
export function lockAccount(
  { forUpdate }: Database["dialect"],
  {
    build,
    value,
  }: {
    readonly build: StepTools<unknown, unknown>["build"];
    readonly value: Placeholder<{ account_id: number } & TrailValues>;
  },
) {
  const account = build.selectFrom("accounts").select("id").where("id", "=", value("account_id"));
  return account.where(hasTrailRoom(value)).modifyEnd(forUpdate);
}
