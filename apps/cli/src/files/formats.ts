export const fileFormats = ["list", "csv", "json", "ndjson", "yaml"] as const;

/** The format of a file with websites. `yaml` is a site file. */
export type FileFormat = (typeof fileFormats)[number];

const formatsByExtension: Readonly<Record<string, FileFormat>> = {
  txt: "list",
  csv: "csv",
  tsv: "csv",
  json: "json",
  ndjson: "ndjson",
  jsonl: "ndjson",
  yaml: "yaml",
  yml: "yaml",
};

/** Returns the format that the extension of a path names, if any. */
export function formatOfPath(path: string): FileFormat | undefined {
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(formatsByExtension, extension) ? formatsByExtension[extension] : undefined;
}

/** Guesses the format of a text by its first line that is neither blank nor a comment, nor Excel's line `sep=;`. */
export function guessFormat(text: string): FileFormat {
  const lines = text.split(/\r\n?|\n/, 1000).filter((line) => line.trim() !== "" && !/^(#|"?sep=)/i.test(line));
  const [first = "", second = ""] = lines;
  if (first.startsWith("{") && /\}\s*$/.test(first) && second.startsWith("{")) return "ndjson";
  if (/^\s*[[{]/.test(first)) return "json";
  if (/^(---|%YAML|(version|defaults|lists|websites|x-[\w-]+)\s*:)/.test(first)) return "yaml";
  return header.test(first) ? "csv" : "list";
}

/** A line with the name of a column for domains. */
const header = /(^|[,;\t])\s*"?(domain([ _-]name)?|url|site|website|host(name)?|main_url)"?\s*($|[,;\t])/i;
