import { readEarlierFile } from "../files/read-earlier-file.ts";
import { formatOfPath, guessFormat } from "../rows/formats.ts";
import { isUneditedExport } from "../site-file/export-checksum.ts";

/**
 * Whether the path is a site file that is not as an export wrote it, or that cannot be read: it may have been edited.
 * Only for site files: files of other formats have no comments, defaults or anchors. An empty file has nothing to lose.
 */
export async function isEditedSiteFile(path: string): Promise<boolean> {
  const earlier = await readEarlierFile(path);
  if (earlier === undefined) return false;
  const format = formatOfPath(path) ?? (earlier.ok ? guessFormat(earlier.value) : "yaml");
  if (format !== "yaml") return false;
  return !earlier.ok || (earlier.value.trim() !== "" && !isUneditedExport(earlier.value));
}
