import type {
  AuditEntry,
  AuditListRequest,
  AuditPosition,
  AuditStore,
} from "../../../src/storage/interface/audit-store.ts";

/** Reads all pages of an account's trail, the newest entry first, from a position on if one is given. */
export async function readAuditTrail(
  audit: AuditStore,
  accountId: number,
  request: Partial<AuditListRequest> = {},
): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  let after: AuditPosition | undefined = request.after;
  do {
    const page = await audit.list(accountId, { limit: 100, ...request, after });
    entries.push(...page.entries);
    after = page.next;
  } while (after !== undefined);
  return entries;
}
