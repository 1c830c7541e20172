import { readFile, stat } from "node:fs/promises";
import { decodeText } from "../files/decode-text.ts";
import { formatOfPath, guessFormat } from "../rows/formats.ts";
import { isAsExported } from "../site-file/is-as-exported.ts";

/** No command reads a larger site file, so nobody keeps one. */
const maxBytes = 32 * 1024 * 1024;

/**
 * Whether the path is a site file that an export did not write as it is. Files of other formats have no comments,
 * defaults or anchors. A pipe or a device is never read.
 */
export async function isEditedSiteFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true || found.size > maxBytes) return false;
  // Whoever cannot read the file learns that when it is written.
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return false;
  const decoded = decodeText(bytes);
  const format = formatOfPath(path) ?? (decoded.ok ? guessFormat(decoded.value) : undefined);
  if (format !== "yaml") return false;
  return !decoded.ok || !(await isAsExported(decoded.value));
}
