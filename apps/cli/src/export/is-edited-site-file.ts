import { readEarlierFile } from "../files/read-earlier-file.ts";
import { formatOfPath, guessFormat } from "../rows/formats.ts";
import { isAsExported } from "../site-file/is-as-exported.ts";

/**
 * Whether the path is a site file that an export did not write as it is. Files of other formats have no comments, defaults
 * or anchors.
 */
export async function isEditedSiteFile(path: string): Promise<boolean> {
  const earlier = await readEarlierFile(path);
  if (earlier === undefined) return false;
  const format = formatOfPath(path) ?? (earlier.ok ? guessFormat(earlier.value) : undefined);
  if (format !== "yaml") return false;
  return !earlier.ok || !(await isAsExported(earlier.value));
}
