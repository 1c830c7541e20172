import { createHash } from "node:crypto";

/** The comment after the checksum. It says to people what the line is for. */
const purpose = "`siteward export` replaces this file without asking if nothing in it was changed.";

/** Adds a second line to an export: a comment with a checksum of all other lines. Equal exports get equal lines. */
export function addChecksum(text: string): string {
  const second = text.indexOf("\n") + 1;
  // Half of SHA-256 finds every edit. Whoever can change the file on purpose can also write the line again.
  const checksum = createHash("sha256").update(text).digest("hex").slice(0, 32);
  return `${text.slice(0, second)}# export-checksum: ${checksum}. ${purpose}\n${text.slice(second)}`;
}

/** Whether a text is an export that nobody has changed since: its checksum is that of its other lines. */
export function isUneditedExport(text: string): boolean {
  // Git can write the lines of a file with other ends.
  const written = text.replaceAll("\r\n", "\n");
  const second = written.indexOf("\n") + 1;
  const third = written.indexOf("\n", second) + 1;
  return second > 0 && third > 0 && written === addChecksum(written.slice(0, second) + written.slice(third));
}
