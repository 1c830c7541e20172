import { formatSiteFile } from "./format-site-file.ts";
import { readSiteFile } from "./read-site-file.ts";

/**
 * Whether a site file is as an export writes it: reading it and writing it again gives the same text. If it is not, a
 * new export would lose what people wrote into it: comments, defaults, anchors, an order, or other names of passwords.
 */
export async function isAsExported(text: string): Promise<boolean> {
  if (text.trim() === "") return true;
  const { entries, problems } = await readSiteFile(text);
  if (problems.length > 0) return false;
  const exported = await formatSiteFile(entries.map(({ password: _namedAnew, ...entry }) => entry));
  // Git can write the lines of a file with other ends.
  return text.replaceAll("\r\n", "\n") === exported;
}
