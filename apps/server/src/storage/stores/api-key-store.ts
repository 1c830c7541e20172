import { AppError, type ChangeAuthor } from "@siteward/service";
import type { KeyUses } from "../changes/record-key-use.ts";
import { toAuditEntryRow } from "../changes/trail.ts";
import { assignId, lockAccount, untilNoConflict, updateRow } from "../changes/update-row.ts";
import { insertRows } from "../engine/change.ts";
import type { Database, WriteConnection } from "../engine/database.ts";
import { nameEach, sql } from "../engine/statement.ts";
import type { AuditAction } from "../interface/audit-store.ts";
import type { ApiKeyChange, ApiKeyStore, Each, NewApiKey, RotatedApiKey, StoredApiKey } from "../interface/storage.ts";
import { auditedFields, createApiKeyReads, findApiKey, toApiKey } from "../reads/api-key-reads.ts";
import { type AuditedFields, describeChanges } from "../tables/audit-changes.ts";
import { type ApiKeyRow, type AuditEntryRow, apiKeys, auditEntries } from "../tables/schema.ts";

/** Creates the store of API keys. It stores only the hash of a key, never the key itself. */
export function createApiKeyStore(database: Database, recordUse: (uses: KeyUses) => Promise<void>): ApiKeyStore {
  return {
    ...createApiKeyReads(database),
    /** Creates keys under the next ids. If another key gets one of them at the same time, the change runs again. */
    createAll: (keys, by) =>
      database.write(async (transaction) => {
        const unknown = await lockAccounts(transaction, database, new Set(keys.map(({ accountId }) => accountId)));
        if (unknown !== undefined) return unknown;
        const rows = await insertKeys(transaction, keys, database.now(), by);
        // The cast is safe: each row is that of the key in its place.
        return rows.map(toApiKey) as Each<typeof keys, StoredApiKey>;
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
          if ((await lockAccounts(transaction, database, new Set([row.account_id]))) !== undefined) return undefined;
          const isExpired = await updateRow(transaction, "api_keys", { expectedVersion: row.version, set, entry });
          if (!isExpired) return "conflict";
          const [created] = await insertKeys(transaction, [replacement], at, by);
          return created && { old: toApiKey(after), next: toApiKey(created) };
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
 * Locks the rows of accounts. The deletion of an account does the same, so that it finds every key. Returns the first
 * account that does not exist or is being deleted: only a statement after the lock sees that its deletion began.
 */
async function lockAccounts(transaction: WriteConnection, database: Database, ids: ReadonlySet<number>) {
  // In order of id, so that two of these do not wait for each other.
  for (const id of [...ids].toSorted((left, right) => left - right))
    if (!(await lockAccount(transaction, database, id))) return id;
  const { names, values } = nameEach("id", [...ids]);
  const deletions = sql`select account_id as id from account_deletions where account_id in (${names}) limit 1`;
  return (await transaction.read<{ id: number }>(deletions, values))[0]?.id;
}

/** @throws Error if another key has a prefix, which undoes the transaction. It happens once in 10^14 times. */
async function insertKeys(transaction: WriteConnection, keys: readonly NewApiKey[], at: number, by: ChangeAuthor) {
  const firstId = await assignId(transaction, "api_keys", "last_api_key_id");
  const rows = keys.map(({ accountId, name, prefix, hash, expiresAt, ...more }, index): ApiKeyRow => {
    const chosen = { name, prefix, hash, scopes: JSON.stringify(more.scopes), rate_limit: more.rateLimit };
    const times = { created_at: at, expires_at: expiresAt?.getTime() ?? null, revoked_at: null, last_used_at: null };
    return { id: firstId + index, account_id: accountId, version: 1, ...chosen, ...times };
  });
  const created = await insertRows(transaction, apiKeys, rows, sql`on conflict (prefix) do nothing returning id`);
  if (created.length < rows.length)
    throw new AppError("unavailable", "A new key has the prefix of another one. Try again.");
  const action = "api_key.created";
  const entries = rows.map((after) => toApiKeyEntry({ action, before: undefined, after, at, by }));
  await insertRows(transaction, auditEntries, entries);
  return rows;
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
