import { AppError, type ChangeAuthor } from "@siteward/service";
import type { KeyUses } from "../changes/record-key-use.ts";
import { toAuditEntryRow } from "../changes/trail.ts";
import { assignId, lockAccount, untilNoConflict, updateRow } from "../changes/update-row.ts";
import { insertInto } from "../engine/change.ts";
import type { Database, WriteConnection } from "../engine/database.ts";
import { sql } from "../engine/statement.ts";
import type { AuditAction } from "../interface/audit-store.ts";
import type { ApiKeyChange, ApiKeyStore, NewApiKey, RotatedApiKey } from "../interface/storage.ts";
import { auditedFields, createApiKeyReads, findApiKey, toApiKey } from "../reads/api-key-reads.ts";
import { type AuditedFields, describeChanges } from "../tables/audit-changes.ts";
import type { ApiKeyRow, AuditEntryRow } from "../tables/schema.ts";

/** Creates the store of API keys. It stores only the hash of a key, never the key itself. */
export function createApiKeyStore(database: Database, recordUse: (uses: KeyUses) => Promise<void>): ApiKeyStore {
  return {
    ...createApiKeyReads(database),
    /** Creates a key under the next id. If another key gets the id at the same time, the change runs again. */
    create: (key, by) =>
      database.write(async (transaction) => {
        if (!(await canHaveKeys(transaction, database, key.accountId))) return undefined;
        return toApiKey(await insertKey(transaction, key, database.now(), by));
      }),
    update: (prefix, decide, by) =>
      changeApiKey(database, prefix, by, (row) => {
        return { action: "api_key.updated", set: toColumns(decide(toApiKey(row))) };
      }),
    rotate: (prefix, decide, by) =>
      untilNoConflict<RotatedApiKey | undefined>(`The API key ${prefix}`, async () => {
        const row = await findApiKey(database, prefix);
        if (row === undefined) return undefined;
        const current = toApiKey(row);
        const { next, expiresAt } = decide(current);
        const replacement = { ...current, prefix: next.prefix, hash: next.hash, expiresAt: next.expiresAt };
        const at = database.now();
        const set = { expires_at: notLater(row, expiresAt.getTime()) };
        const after = { ...row, ...set, version: row.version + 1 };
        const also = { replaced_by: next.prefix };
        const entry = toApiKeyEntry({ action: "api_key.rotated", before: row, after, also, at, by });
        return database.write(async (transaction) => {
          if (!(await canHaveKeys(transaction, database, row.account_id))) return undefined;
          const isExpired = await updateRow(transaction, "api_keys", { expectedVersion: row.version, set, entry });
          if (!isExpired) return "conflict";
          const created = await insertKey(transaction, replacement, at, by);
          return { old: toApiKey(after), next: toApiKey(created) };
        });
      }),
    revoke: (prefix, by) => revokeApiKey(database, prefix, by),
    async recordUse(usedAtMs) {
      // In order of id, so that processes that update the same keys seldom wait for each other.
      const inOrder = [...usedAtMs].toSorted(([left], [right]) => left - right);
      for (let start = 0; start < inOrder.length; start += keysPerStatement)
        await recordUse(inOrder.slice(start, start + keysPerStatement));
    },
  };
}

/** Revokes a key. One that is already revoked stays as it is. */
export function revokeApiKey(database: Database, prefix: string, by: ChangeAuthor): ReturnType<ApiKeyStore["revoke"]> {
  return changeApiKey(database, prefix, by, ({ revoked_at }) => {
    return { action: "api_key.revoked", set: { revoked_at: revoked_at ?? database.now() } };
  });
}

interface KeyChange {
  readonly action: "api_key.updated" | "api_key.revoked";
  readonly set: Partial<Pick<ApiKeyRow, "name" | "scopes" | "rate_limit" | "expires_at" | "revoked_at">>;
}

/** Changes a key. A change that alters nothing leaves the version. */
function changeApiKey(database: Database, prefix: string, by: ChangeAuthor, decide: (row: ApiKeyRow) => KeyChange) {
  return untilNoConflict(`The API key ${prefix}`, async () => {
    const row = await findApiKey(database, prefix);
    if (row === undefined) return undefined;
    const { action, set } = decide(row);
    const after = { ...row, ...set, version: row.version + 1 };
    const entry = toApiKeyEntry({ action, before: row, after, at: database.now(), by });
    if (entry.changes === "{}") return toApiKey(row);
    const update = { expectedVersion: row.version, set, entry };
    const isUpdated = await database.write((transaction) => updateRow(transaction, "api_keys", update));
    return isUpdated ? toApiKey(after) : "conflict";
  });
}

function toColumns({ name, scopes, expiresAt, rateLimit }: ApiKeyChange): KeyChange["set"] {
  return {
    ...(name === undefined ? {} : { name }),
    ...(scopes === undefined ? {} : { scopes: JSON.stringify(scopes) }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt?.getTime() ?? null }),
    ...(rateLimit === undefined ? {} : { rate_limit: rateLimit }),
  };
}

/** So few that a revocation does not wait for long: each statement is a change of its own. */
const keysPerStatement = 100;

function notLater({ expires_at }: ApiKeyRow, time: number): number {
  return expires_at === null ? time : Math.min(expires_at, time);
}

/**
 * Locks the row of the account. The deletion of the account does the same, so that it finds every key. Returns whether
 * the account exists and is not being deleted: only a statement after the lock sees that its deletion began.
 */
async function canHaveKeys(transaction: WriteConnection, database: Database, accountId: number) {
  if (!(await lockAccount(transaction, database, accountId))) return false;
  const deletions = sql`select account_id from account_deletions where account_id = :accountId`;
  return (await transaction.read(deletions, { accountId })).length === 0;
}

/** @throws Error if another key has the prefix, which undoes the transaction. It happens once in 10^14 times. */
async function insertKey(transaction: WriteConnection, key: NewApiKey, at: number, by: ChangeAuthor) {
  const row: ApiKeyRow = {
    id: await assignId(transaction, "api_keys", "last_api_key_id"),
    account_id: key.accountId,
    name: key.name,
    prefix: key.prefix,
    hash: key.hash,
    scopes: JSON.stringify(key.scopes),
    rate_limit: key.rateLimit,
    version: 1,
    created_at: at,
    expires_at: key.expiresAt?.getTime() ?? null,
    revoked_at: null,
    last_used_at: null,
  };
  const insert = sql`${insertInto("api_keys")} on conflict (prefix) do nothing returning id`;
  const created = await transaction.write(insert, row);
  if (created.length === 0) throw new AppError("unavailable", "The new key has the prefix of another one. Try again.");
  const entry = toApiKeyEntry({ action: "api_key.created", before: undefined, after: row, at, by });
  await transaction.write(insertInto("audit_entries"), entry);
  return row;
}

interface AuditedApiKey {
  readonly action: AuditAction;
  readonly before: ApiKeyRow | undefined;
  readonly after: ApiKeyRow;
  /** What else the entry says about the key after the change. */
  readonly also?: AuditedFields;
  /** The time of the change, in milliseconds since 1970. */
  readonly at: number;
  readonly by: ChangeAuthor;
}

function toApiKeyEntry({ action, before, after, also = {}, at, by }: AuditedApiKey): AuditEntryRow {
  const { account_id, id: subject_id, version } = after;
  const fields = { ...auditedFields(after), ...also };
  const changes = describeChanges(before === undefined ? {} : auditedFields(before), fields);
  return toAuditEntryRow({ account_id, subject: "api_key", subject_id, version, action, at }, { by, changes });
}
