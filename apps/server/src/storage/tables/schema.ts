import type { AuditAction, AuditSubject } from "../interface/audit-store.ts";
import { defineTable, type Row, stored } from "./table.ts";
import { websites } from "./websites.ts";

/** Accounts with their counters. Times are milliseconds since 1970. */
export const accounts = defineTable({
  name: "accounts",
  columns: {
    id: stored<number>(),
    name: stored<string>(),
    email: stored<string>(),
    /** Changed in the transactions that insert and delete websites, so that it is exact. */
    website_count: stored<number>(),
    /** Null means no limit. */
    website_limit: stored<number | null>(),
    /** The highest website id ever assigned. An id is never assigned twice. */
    last_website_id: stored<number>(),
    /**
     * The time of the newest creation or deletion. A website never gets an earlier creation time, even if the clock
     * goes backwards: the audit trail is in order of time.
     */
    last_website_created_at: stored<number>(),
    created_at: stored<number>(),
    updated_at: stored<number>(),
    /** Counts from 1 and rises with every change of the name, the e-mail address or the limit. */
    version: stored<number>(),
    /** The day (UTC) of `trail_bytes`, counted from 1970-01-01. */
    trail_day: stored<number>(),
    /** What the changes of the account have left in the audit trail on that day, in bytes. */
    trail_bytes: stored<number>(),
    /** How many changes of websites were counted. Each has its number in the audit trail. */
    change_count: stored<number>(),
    /** The time of the newest of them, as its entry has it, or `counted_since`. */
    changed_at: stored<number>(),
    /** When the count began: when the account was created. */
    counted_since: stored<number>(),
  },
  key: ["id"],
  distributedBy: "id",
});

/** API keys. The key itself is not stored, only its hash. Times are milliseconds since 1970. */
export const apiKeys = defineTable({
  name: "api_keys",
  columns: {
    id: stored<number>(),
    account_id: stored<number>(),
    name: stored<string>(),
    /** The first characters of the key, unique among all keys. */
    prefix: stored<string>(),
    /** SHA-256 of the whole key. */
    hash: stored<Uint8Array>(),
    /** A JSON array of strings. */
    scopes: stored<string>(),
    created_at: stored<number>(),
    expires_at: stored<number | null>(),
    revoked_at: stored<number | null>(),
    last_used_at: stored<number | null>(),
    /** Counts from 1 and rises with every change, but not with every use. */
    version: stored<number>(),
    /** Requests a minute. Null means the setting of the server, and 0 means no limit. */
    rate_limit: stored<number | null>(),
  },
  key: ["id"],
  distributedBy: null,
});

/**
 * The audit trail: one entry for each change of a website, an API key or an account, written in the transaction of the change.
 *
 * The key is natural: a version of a record exists once. Entries refer to records that may be deleted, so there are no foreign keys.
 *
 * An entry is the last one of its account, so it is appended. No index has the entries by website, because each change
 * would write to it at another place. Instead, each entry stores the time of the entry before it. The record has the
 * time and the version of its newest entry. The entry of a deletion is in an index that only deletions change.
 */
export const auditEntries = defineTable({
  name: "audit_entries",
  columns: {
    account_id: stored<number>(),
    /** The time of the change, in milliseconds since 1970. */
    at: stored<number>(),
    subject: stored<AuditSubject>(),
    subject_id: stored<number>(),
    /** The version of the record after the change. A deletion counts as one more version. */
    version: stored<number>(),
    action: stored<AuditAction>(),
    /** The prefix of the API key that made the change, or null if an operator did. */
    api_key: stored<string | null>(),
    /** The name of the operating system's user who made the change, or null if an API key did. */
    operator: stored<string | null>(),
    request_id: stored<string | null>(),
    /** A JSON object: the fields that changed, each with its values before and after. Never a secret. */
    changes: stored<string>(),
    /**
     * Of a website, the time of its entry with the version before, which retention may have deleted. Null for a
     * creation and for other subjects.
     */
    previous_at: stored<number | null>(),
    /**
     * Of a website, the number of the change in its account: 1 more than that of the change that was committed before
     * it. Null for other subjects.
     */
    position: stored<number | null>(),
  },
  key: ["account_id", "at", "subject", "subject_id", "version"],
  distributedBy: "account_id",
});

/** The outcomes of requests that had an idempotency key, each written in the transaction of the work. */
export const idempotencyKeys = defineTable({
  name: "idempotency_keys",
  columns: {
    account_id: stored<number>(),
    key: stored<string>(),
    /** Identifies what the request said. */
    fingerprint: stored<string>(),
    /** A JSON object: the result or the refusal. See `reads/kept-outcome.ts`. */
    outcome: stored<string>(),
    /** By the clock. A website's own time may be later: it is never before that of an older website. */
    created_at: stored<number>(),
  },
  key: ["account_id", "key"],
  distributedBy: "account_id",
});

/**
 * The accounts whose deletion began, so that neither their ids nor those of their API keys are used again. A server may
 * know a deleted key for some seconds, and must not take it for a key of another account.
 */
const accountDeletions = defineTable({
  name: "account_deletions",
  columns: {
    account_id: stored<number>(),
    /** The highest id of an API key of the account, or 0. The account gets no more keys. */
    last_api_key_id: stored<number>(),
    /** When the deletion began, in milliseconds since 1970. */
    began_at: stored<number>(),
  },
  key: ["account_id"],
  distributedBy: null,
});

/** The migrations that ran. Each database has its own. */
export const schemaMigrations = defineTable({
  name: "schema_migrations",
  columns: {
    /** From 1 up. The row of version 0 is locked during a migration, on engines that cannot lock an entire database. */
    version: stored<number>(),
    name: stored<string>(),
    /** In milliseconds since 1970. */
    applied_at: stored<number>(),
  },
  key: ["version"],
  distributedBy: null,
});

/** A table comes after those that its rows refer to. */
export const tables = {
  accounts,
  api_keys: apiKeys,
  websites,
  audit_entries: auditEntries,
  idempotency_keys: idempotencyKeys,
  account_deletions: accountDeletions,
  schema_migrations: schemaMigrations,
} as const;

/** The rows of all tables. They are the same on every engine. */
export type Schema = { readonly [Name in keyof typeof tables]: Row<(typeof tables)[Name]> };

export type AccountRow = Schema["accounts"];
export type ApiKeyRow = Schema["api_keys"];
export type AuditEntryRow = Schema["audit_entries"];
export type KeptOutcomeRow = Schema["idempotency_keys"];
