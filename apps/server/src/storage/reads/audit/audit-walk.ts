import { type RawBuilder, sql } from "kysely";
import type { AuditEntryRow } from "../../changes/audit/audit-entry.ts";
import type { AuditListRequest } from "../../interface/audit-store.ts";

/** A part of the trail that one index has in order. */
export interface AuditWalk {
  /** The columns with which the index begins, each with one value. */
  readonly fixed: Partial<AuditEntryRow>;
  /** The columns that follow in the index, in which the part is ordered. */
  readonly order: readonly (keyof AuditPlace)[];
  /** Conditions that the index does not answer. */
  readonly filters: readonly RawBuilder<boolean>[];
}

/** The columns of an entry's position. */
export type AuditPlace = Pick<AuditEntryRow, "at" | "subject" | "subject_id" | "version">;

/** Chooses the index that has the least to read: the entries of one website, or of the account. */
export function chooseWalk(accountId: number, { websiteId, apiKey, actions }: AuditListRequest): AuditWalk {
  const account = { account_id: accountId };
  const filters = [
    ...(actions === undefined ? [] : [sql<boolean>`action in (${sql.join(actions)})`]),
    ...(apiKey === undefined ? [] : [sql<boolean>`api_key = ${apiKey}`]),
  ];
  return websiteId === undefined
    ? { fixed: account, order: ["at", "subject", "subject_id", "version"], filters }
    : { fixed: { ...account, subject: "website", subject_id: websiteId }, order: ["at", "version"], filters };
}
