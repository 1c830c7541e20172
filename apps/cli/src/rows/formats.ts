import type { AcceptRow } from "./row.ts";

/** Every format whose rows are read without knowledge of each other. A format is loaded when a file has it. */
export const rowFormats = {
  list: async () => (await import("./read-list.ts")).readList,
  csv: async () => (await import("./read-csv.ts")).readCsv,
  json: async () => (await import("./read-json.ts")).readJson,
  ndjson: async () => (await import("./read-ndjson.ts")).readNdjson,
} as const satisfies Record<string, () => Promise<(text: string, accept: AcceptRow) => void>>;

/** The format of a file with websites. `yaml` is a site file. */
export type FileFormat = keyof typeof rowFormats | "yaml";

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

/** Guesses the format of a text by its first line that is neither blank nor a comment. A list is what has no other form. */
export function guessFormat(text: string): FileFormat {
  const lines = text.split(/\r\n?|\n/, 1000).filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const [first = "", second = ""] = lines;
  if (first.startsWith("{") && /\}\s*$/.test(first) && second.startsWith("{")) return "ndjson";
  if (/^\s*[[{]/.test(first)) return "json";
  if (/^(---|%YAML|(version|defaults|websites|x-[\w-]+)\s*:)/.test(first)) return "yaml";
  return /(^|[,;\t])\s*"?domain"?\s*($|[,;\t])/i.test(first) ? "csv" : "list";
}
