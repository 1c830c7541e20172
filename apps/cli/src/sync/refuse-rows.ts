import { CliError } from "../errors/cli-error.ts";
import { formatOfPath } from "../rows/formats.ts";

/** What only `import` reads, by the format that the extension of a file names. JSON is YAML too. */
const formatNames = { csv: "CSV", ndjson: "NDJSON" } as const;

/**
 * Refuses a file that only `import` reads: the first problem that a site file would have with it says nothing of that.
 *
 * @throws CliError `input_refused`
 */
export function refuseRows(path: string): void {
  const format = formatOfPath(path);
  if (format !== "csv" && format !== "ndjson") return;
  throw new CliError(
    "input_refused",
    `${path} is ${formatNames[format]}, and no site file, which is YAML.`,
    `To check it, use \`siteward import ${path} --dry-run\`. To import its websites, omit --dry-run.`,
  );
}
