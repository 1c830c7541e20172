import type { Io } from "../process/io.ts";
import type { Renderer } from "./view.ts";

/** Every output format. Each is loaded when it is used. */
export const formats = {
  table: async () => (await import("./table.ts")).table,
  json: async () => (await import("./json.ts")).json,
  ndjson: async () => (await import("./json.ts")).ndjson,
  csv: async () => (await import("./csv.ts")).csv,
  yaml: async () => (await import("./yaml.ts")).yaml,
} as const satisfies Record<string, () => Promise<Renderer>>;

/** The name of an output format. */
export type OutputFormat = keyof typeof formats;

/**
 * Whether messages on stderr are JSON, one per line: if JSON or NDJSON was requested, or if nothing was requested and
 * no person reads along, since neither stream is a terminal.
 */
export function areMessagesJson(requested: OutputFormat | undefined, { stdout, stderr }: Io): boolean {
  if (requested !== undefined) return requested === "json" || requested === "ndjson";
  return stdout.isTTY !== true && stderr.isTTY !== true;
}
