import type { AuditListRequest, AuditPage, AuditPosition, AuditStore } from "../../storage/interface/audit-store.ts";

/** A part of an account's audit trail. */
export interface Trail extends Omit<AuditListRequest, "limit"> {
  readonly accountId: number;
  /** The largest number of entries of all pages together. No limit if undefined. */
  readonly limit: number | undefined;
}

const entriesPerPage = 100;

/** Reads a trail page by page. The last page has the position from which reading can continue. */
export async function* readTrail(audit: AuditStore, { accountId, ...trail }: Trail): AsyncGenerator<AuditPage> {
  let left = trail.limit ?? Number.POSITIVE_INFINITY;
  let after: AuditPosition | undefined = trail.after;
  do {
    const page: AuditPage = await audit.list(accountId, { ...trail, after, limit: Math.min(left, entriesPerPage) });
    yield page;
    left -= page.entries.length;
    after = page.next;
  } while (after !== undefined && left > 0);
}
