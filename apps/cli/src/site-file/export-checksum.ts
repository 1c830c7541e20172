import { createHash } from "node:crypto";

/** The comment after the checksum. It says to people what the line is for. */
const purpose = "`siteward export` replaces this file without asking if nothing in it was changed.";

/** Adds a second line to an export: a comment with a checksum of all other lines. Equal exports get equal lines. */
export function addChecksum(text: string): string {
  const [first, ...others] = text.split("\n");
  // Half of SHA-256 finds every edit. Whoever can change the file on purpose can also write the line again.
  const checksum = createHash("sha256").update(text).digest("hex").slice(0, 32);
  return [first, `# export-checksum: ${checksum}. ${purpose}`, ...others].join("\n");
}

/** Whether a text is an export that nobody has changed since: its checksum is that of its other lines. */
export function isUneditedExport(text: string): boolean {
  // Git can write the lines of a file with other ends.
  const written = text.replaceAll("\r\n", "\n");
  return written === addChecksum(written.split("\n").toSpliced(1, 1).join("\n"));
}
