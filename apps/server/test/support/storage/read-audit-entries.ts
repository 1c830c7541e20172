import { readInstallation } from "./read-installation.ts";

/** Reads the audit trail of a database without the times, in the order in which the entries were written. */
export async function readAuditEntries(databaseUrl: string) {
  const { auditEntries } = await readInstallation(databaseUrl);
  return auditEntries
    .toSorted((left, right) => left.at - right.at)
    .map(({ changes, ...entry }) => ({ ...entry, changes: JSON.parse(changes) }));
}
