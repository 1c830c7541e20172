import type { EntryGrammar } from "@siteward/contract/website-settings";
import type { Website } from "@siteward/sdk";
import type { Command } from "commander";
import { CliError } from "../errors/cli-error.ts";
import type { OptionValues } from "./field-flags.ts";
import { type Flag, flag } from "./flag.ts";
import { collectEntries } from "./option-values.ts";

/** A field of a website that contains a list. */
export type ListField = {
  [Field in keyof Website]: Website[Field] extends readonly string[] ? Field : never;
}[keyof Website];

/** What to add to a list and what to remove from it, in canonical form. */
export interface ListEdit {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** The edits of the lists that a command changes. */
export type ListEdits = Readonly<Partial<Record<ListField, ListEdit>>>;

interface ListEditFlags extends Record<keyof ListEdit, Flag<string[]>> {
  /** Loaded only if a flag was given. */
  readonly grammar: () => Promise<EntryGrammar>;
}

/** The flags that edit each list. A list without them does not compile. */
const listEditFlags = {
  exclude_params: {
    add: editFlag("--add-exclude-params <names>", "URL parameters to exclude too", ["excludeParams"]),
    remove: editFlag("--remove-exclude-params <names>", "URL parameters to exclude no longer", ["excludeParams"]),
    grammar: async () => (await import("@siteward/contract/website-settings")).excludeParams,
  },
  exclude_ips: {
    add: editFlag("--add-exclude-ips <addresses>", "IP addresses to exclude too", ["excludeIps", "excludeIpsFile"]),
    remove: editFlag("--remove-exclude-ips <addresses>", "IP addresses to exclude no longer", [
      "excludeIps",
      "excludeIpsFile",
    ]),
    grammar: async () => (await import("@siteward/contract/website-settings")).excludeIps,
  },
} satisfies Record<ListField, ListEditFlags>;

/** Declares the flags on the command. */
export function addListEditFlags(command: Command): Command {
  for (const { add, remove } of Object.values(listEditFlags)) {
    command.addOption(add.options[0]).addOption(remove.options[0]);
  }
  return command;
}

/**
 * Returns the edits that were given as flags, with entries in canonical form, so that they can be compared with those of
 * a record.
 *
 * @throws CliError `usage` if an entry is not valid, or is both added and removed
 */
export async function readListEdits(values: OptionValues): Promise<ListEdits> {
  const edits: Partial<Record<ListField, ListEdit>> = {};
  // The keys of the flags are the fields.
  for (const [field, flags] of Object.entries(listEditFlags) as [ListField, ListEditFlags][]) {
    const add = flags.add.read(values);
    const remove = flags.remove.read(values);
    if (add === undefined && remove === undefined) continue;
    const grammar = await flags.grammar();
    const edit = { add: canonicalize(flags.add, add, grammar), remove: canonicalize(flags.remove, remove, grammar) };
    refuseOverlap(field, edit);
    edits[field] = edit;
  }
  return edits;
}

/** @param replacing the names of the options that replace the entire list */
function editFlag(syntax: string, description: string, replacing: string[]): Flag<string[]> {
  const made = flag(syntax, `${description}; comma-separated, or repeat the flag`, collectEntries);
  made.options[0].conflicts(replacing);
  return made;
}

function canonicalize({ options }: Flag<string[]>, texts: readonly string[] = [], grammar: EntryGrammar): string[] {
  const parsed = texts.map((text) => [text, grammar.parseEntry(text)] as const);
  const faults = parsed.flatMap(([text, entry]) => (entry.ok ? [] : [`${JSON.stringify(text)} ${entry.reason}`]));
  if (faults.length > 0) throw new CliError("usage", `${options[0].long}: ${faults.join("; ")}.`);
  return [...new Set(parsed.flatMap(([, entry]) => (entry.ok ? [entry.value] : [])))];
}

function refuseOverlap(field: ListField, { add, remove }: ListEdit): void {
  const both = add.filter((entry) => remove.includes(entry));
  if (both.length === 0) return;
  throw new CliError("usage", `Entries of ${field} cannot be both added and removed: ${both.join(", ")}.`);
}
