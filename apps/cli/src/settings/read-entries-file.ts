import { CliError } from "../errors/cli-error.ts";
import { readTextFile } from "../input/read-secret.ts";
import { withList } from "../output/with-list.ts";
import { splitEntries } from "./parse-flag-value.ts";
import { showValue } from "./reading.ts";
import type { ListName } from "./settings.ts";

/**
 * Reads the entries of a list from a file: one per line, or comma-separated. `#` starts a comment.
 *
 * @param flag the name of the flag that names the file, for messages
 * @throws CliError `usage` if the file cannot be read, or if an entry is not valid: only here its line is known
 */
export async function readEntriesFile(path: string, flag: string, list: ListName): Promise<readonly string[]> {
  const content = await readTextFile(path, flag);
  const { entryGrammars } = await import("@siteward/contract/website-settings");
  const lines = content.split(/\r\n?|\n/).map((line) => splitEntries(line.replace(/#.*$/, "")));
  const faults = lines.flatMap((entries, index) =>
    entries.flatMap((entry) => {
      const parsed = entryGrammars[list].parseEntry(entry);
      return parsed.ok ? [] : [`line ${index + 1}: ${showValue(entry)} ${parsed.reason}`];
    }),
  );
  if (faults.length === 0) return lines.flat();
  const count = faults.length === 1 ? "1 entry that is" : `${faults.length} entries that are`;
  throw new CliError("usage", withList(`The file of ${flag}, ${path}, has ${count} not valid:`, faults));
}
