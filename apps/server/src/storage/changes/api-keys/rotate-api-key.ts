import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import type { ApiKeyStore, RotatedApiKey } from "../../interface/storage.ts";
import { selectApiKeys, toApiKey } from "../../reads/api-keys/api-key-row.ts";
import { prepareInTurn } from "../../run/in-turn.ts";
import { rowOf, Steps } from "../../run/steps.ts";
import type { ApiKeyRow } from "../../tables/schema.ts";
import type { AuditEntryRow } from "../audit/audit-entry.ts";
import { untilNoConflict } from "../until-no-conflict.ts";
import { toApiKeyEntry } from "./api-key-entry.ts";
import { insertSteps, isPrefixInUse, type NewKeyValues, toNewRow } from "./create-api-key.ts";

/** Creates a key that replaces another, and lets the old one expire. */
export function prepareRotateApiKey(database: Database): ApiKeyStore["rotate"] {
  const rotate = prepareInTurn<Values, { id: number }>(database, {
    steps: rotationSteps(database).list,
    result: "created",
  });
  return (prefix, decide, by) =>
    untilNoConflict<RotatedApiKey | "prefix-in-use" | undefined>(`The API key ${prefix}`, async () => {
      const row = await findKey(database, prefix);
      if (row === undefined) return undefined;
      const current = toApiKey(row);
      const { next, expiresAt } = decide(current);
      const { prefix: nextPrefix, hash, expiresAt: nextExpiresAt } = next;
      const at = database.now();
      const replacement = toNewRow({ ...current, prefix: nextPrefix, hash, expiresAt: nextExpiresAt }, at);
      const expired = { ...row, expires_at: notLater(row, expiresAt.getTime()), version: row.version + 1 };
      const also = { replaced_by: replacement.prefix };
      const created = await rotate({
        ...replacement,
        ...toApiKeyEntry({ action: "api_key.created", before: undefined, after: replacement, at, by }),
        old_expires_at: expired.expires_at,
        ...ofOld(toApiKeyEntry({ action: "api_key.rotated", before: row, after: expired, also, at, by })),
      });
      if (created !== undefined) return { old: toApiKey(expired), next: toApiKey({ ...replacement, id: created.id }) };
      if (await isPrefixInUse(database, replacement.prefix)) return "prefix-in-use";
      // Either the key has changed since, or its account is being deleted.
      return (await findKey(database, prefix))?.version === row.version ? undefined : "conflict";
    });
}

async function findKey(database: Database, prefix: string): Promise<ApiKeyRow | undefined> {
  const [row] = await database.primary.read(selectApiKeys(database).where("prefix", "=", prefix));
  return row;
}

function notLater({ expires_at }: ApiKeyRow, time: number): number {
  return expires_at === null ? time : Math.min(expires_at, time);
}

/** What the old key gets, and its entry where that differs from the one of the new key. */
interface OldKeyValues {
  readonly old_expires_at: number;
  readonly old_id: number;
  readonly old_version: number;
  readonly old_action: string;
  readonly old_changes: string;
}

type Values = NewKeyValues & OldKeyValues;

function ofOld({ subject_id, version, action, changes }: AuditEntryRow) {
  return { old_id: subject_id, old_version: version, old_action: action, old_changes: changes };
}

function rotationSteps(database: Database) {
  return new Steps<Values>(insertSteps(database).list)
    .step("expired", ({ build, value }) =>
      build
        .updateTable("api_keys")
        .set({ expires_at: value("old_expires_at"), version: value("old_version") })
        .where("account_id", "=", value("account_id"))
        .where("id", "=", value("old_id"))
        .where("version", "=", sql<number>`${value("old_version")} - 1`)
        .returning("id"),
    )
    .step(
      "audited_old",
      ({ value, insertAfter }) => {
        const given = {
          subject_id: sql`${value("old_id")}`,
          version: sql`${value("old_version")}`,
          action: sql`${value("old_action")}`,
          changes: sql`${value("old_changes")}`,
        };
        return insertAfter("expired", "audit_entries", rowOf("audit_entries", value, given));
      },
      "last",
    );
}
