import type { IdempotentRequest } from "@siteward/service";
import type { AuditedChange } from "./audit-entry.ts";

/** What the columns of an entry take at most, without its request ID and its changes. */
const columnBytes = 100;
/** What an entry takes in addition: on PostgreSQL the head of the row and its places in two indexes, and that of a deletion in another. */
const indexBytes = 200;
/** What an outcome takes without its strings. It was 65 bytes on SQLite and 182 on PostgreSQL. Both have its key twice. */
const outcomeBytes = 200;

/** Returns how much of the disk an entry of the audit trail takes at most. */
export function countEntry({ by, changes }: AuditedChange): number {
  return indexBytes + inPages(columnBytes + (by.requestId?.length ?? 0) + Buffer.byteLength(changes));
}

/** Returns how much of the disk the outcome of a request takes at most. */
export function countOutcome({ key, fingerprint }: IdempotentRequest, outcomeLength: number): number {
  return outcomeBytes + 2 * key.length + fingerprint.length + outcomeLength;
}

/** SQLite stores up to this many bytes of a row next to others (https://www.sqlite.org/fileformat2.html, section 1.6). */
const maxInlineBytes = 1_002;
/** Of a longer row, it stores the rest on pages that contain nothing else. */
const pageContentBytes = 4_092;
/** A page has 4,096 bytes. PostgreSQL takes 4,380 for as much, in pieces of 2 KB. */
const pageBytes = 4_400;
/** How much of a row with such pages stays next to others. */
const minInlineBytes = 489;

/** A row of 1,100 bytes takes 4,600 on SQLite. Without this, small rows would leave four times the limit. */
function inPages(rowBytes: number): number {
  const pages = Math.ceil((rowBytes - maxInlineBytes) / pageContentBytes);
  return pages <= 0 ? rowBytes : Math.max(rowBytes, minInlineBytes + pages * pageBytes);
}
