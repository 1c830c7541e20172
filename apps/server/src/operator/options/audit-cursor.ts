import { type AuditPosition, auditSubjects } from "../../storage/interface/audit-store.ts";
import { UsageError } from "../io/command-error.ts";

const version = 1;

/** Encodes a position in the trail of an account as an opaque string. */
export function encodeAuditCursor(accountId: number, { at, subject, subjectId, version: row }: AuditPosition): string {
  return Buffer.from(JSON.stringify([version, accountId, at, subject, subjectId, row])).toString("base64url");
}

/**
 * Decodes a cursor.
 *
 * @throws UsageError if it is not one, or if it is of another account
 */
export function decodeAuditCursor(text: string, accountId: number): AuditPosition {
  const [cursorVersion, account, at, name, subjectId, row] = readParts(text);
  const subject = auditSubjects.find((known) => known === name);
  if (
    cursorVersion !== version ||
    subject === undefined ||
    !isInteger(at) ||
    !isInteger(subjectId) ||
    !isInteger(row)
  ) {
    throw new UsageError("--cursor is not a valid cursor. Use the next_cursor of an earlier page.");
  }
  if (account !== accountId) {
    throw new UsageError(`--cursor belongs to account ${account}. Use it with --account ${account}.`);
  }
  return { at, subject, subjectId, version: row };
}

function readParts(text: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
