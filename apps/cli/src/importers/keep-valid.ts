import type { EntryGrammar } from "@siteward/contract/website-settings";

/** The entries of a list that a website can have, and the others, each with its field and the reason. */
interface ValidEntries {
  readonly kept: readonly string[];
  readonly droppedValues: readonly string[];
}

/**
 * Splits a list of another service by the grammar of ours, so that one entry of a form that we do not know does not refuse the
 * website.
 *
 * @param value an array of strings, or a comma-separated string
 */
export function keepValid(field: string, value: unknown, { parseEntry }: EntryGrammar): ValidEntries {
  const entries = (Array.isArray(value) ? value : [value])
    .flatMap((item) => (typeof item === "string" ? item.split(/[,\r\n]/) : []))
    .flatMap((item) => (item.trim() === "" ? [] : [item.trim()]));
  const parsed = entries.map((entry) => [entry, parseEntry(entry)] as const);
  return {
    kept: parsed.flatMap(([entry, result]) => (result.ok ? [entry] : [])),
    droppedValues: parsed.flatMap(([entry, result]) =>
      result.ok ? [] : [`${field} ${JSON.stringify(entry.slice(0, 60))} ${result.reason.split("; send ")[0]}`],
    ),
  };
}
