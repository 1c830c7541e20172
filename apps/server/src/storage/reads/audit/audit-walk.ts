import { type RawBuilder, sql } from "kysely";
import type { AuditEntryRow } from "../../changes/audit/audit-entry.ts";
import type { AuditListRequest } from "../../interface/audit-store.ts";

/** A part of the trail that one index has in order. */
export interface AuditWalk {
  /** The columns with which the index begins, each with one value. */
  readonly fixed: Partial<AuditEntryRow>;
  /**
   * Columns at the beginning of the order that also have one value. As long as a query calls them a range, only the index has
   * its order. Otherwise SQLite reads the trail of the account, which is in the same order, and filters it.
   */
  readonly lead: Partial<AuditEntryRow>;
  /** The columns that follow in the index, in which the part is ordered. */
  readonly order: readonly (keyof AuditPlace)[];
  /** Conditions that the index does not answer. */
  readonly filters: readonly RawBuilder<boolean>[];
}

/** The columns of an entry's position. */
export type AuditPlace = Pick<AuditEntryRow, "at" | "subject" | "subject_id" | "version">;

/** Chooses the index that has the least to read: the entries of one website, of one API key, or of the account. */
export function chooseWalk(accountId: number, { websiteId, apiKey, actions }: AuditListRequest): AuditWalk {
  const account = { account_id: accountId };
  const ofActions = actions === undefined ? [] : [sql<boolean>`action in (${sql.join(actions)})`];
  if (websiteId !== undefined) {
    return {
      fixed: { ...account, subject: "website", subject_id: websiteId },
      lead: {},
      order: ["at", "version"],
      // Not a plain comparison, with which an engine could choose the index of the key, which may have much more to read.
      filters: [...ofActions, ...(apiKey === undefined ? [] : [sql<boolean>`coalesce(api_key, '') = ${apiKey}`])],
    };
  }
  return {
    fixed: account,
    lead: apiKey === undefined ? {} : { api_key: apiKey },
    order: ["at", "subject", "subject_id", "version"],
    filters: ofActions,
  };
}
