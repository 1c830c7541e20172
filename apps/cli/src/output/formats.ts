import type { Renderer } from "./renderer.ts";

/** Every output format. Each is loaded when it is used: a format that nobody asked for costs nothing. */
export const formats = {
  table: async () => (await import("./table.ts")).table,
  json: async () => (await import("./json.ts")).json,
  ndjson: async () => (await import("./ndjson.ts")).ndjson,
  csv: async () => (await import("./csv.ts")).csv,
  yaml: async () => (await import("./yaml.ts")).yaml,
} as const satisfies Record<string, () => Promise<Renderer>>;

/** The name of an output format. */
export type OutputFormat = keyof typeof formats;

/** The format in force: the one asked for, else a table for people and JSON for programs. */
export function chooseFormat(asked: OutputFormat | undefined, stdoutIsTerminal: boolean): OutputFormat {
  return asked ?? (stdoutIsTerminal ? "table" : "json");
}

/** Whether messages on stderr are JSON too, a line each. */
export function isJsonFormat(format: OutputFormat): boolean {
  return format === "json" || format === "ndjson";
}
