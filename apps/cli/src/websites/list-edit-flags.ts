import type { EntryGrammar } from "@siteward/contract/plain";
import type { Command } from "commander";
import type { OptionValues } from "../flags/field-flags.ts";
import { type Flag, flag } from "../flags/flag.ts";
import { CliError } from "../process/cli-error.ts";
import { collectEntries, howToList } from "./parse-flag-value.ts";
import { settingFlags } from "./setting-flags.ts";
import { type ListName, type ListSetting, listSettings } from "./settings.ts";

/** What to add to a list and what to remove from it, in canonical form. */
export interface ListEdit {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** The edits of the lists that a command changes. */
export type ListEdits = Readonly<Partial<Record<ListName, ListEdit>>>;

/** The flags that edit each list. */
const listEditFlags = listSettings.map(editFlagsOf);

/** Declares the flags on the command. */
export function addListEditFlags(command: Command): Command {
  for (const { add, remove } of listEditFlags) command.addOption(add.options[0]).addOption(remove.options[0]);
  return command;
}

/**
 * Returns the edits that were given as flags, with entries in canonical form, so that they can be compared with those of
 * a record.
 *
 * @throws CliError `usage` if an entry is not valid, or is both added and removed
 */
export async function readListEdits(values: OptionValues): Promise<ListEdits> {
  const edits: Partial<Record<ListName, ListEdit>> = {};
  for (const { name, ...flags } of listEditFlags) {
    const add = flags.add.read(values);
    const remove = flags.remove.read(values);
    if (add === undefined && remove === undefined) continue;
    const { entryGrammars } = await import("@siteward/contract/plain");
    const grammar = entryGrammars[name];
    const edit = { add: canonicalize(flags.add, add, grammar), remove: canonicalize(flags.remove, remove, grammar) };
    refuseOverlap(name, edit);
    edits[name] = edit;
  }
  return edits;
}

function editFlagsOf({ name, entries }: ListSetting) {
  const flagName = name.replaceAll("_", "-");
  // Neither can be combined with what replaces the entire list.
  const replacing = settingFlags[name].options.map((option) => option.attributeName());
  const editFlag = (verb: string, preposition: string): Flag<string[]> => {
    const meaning = `${verb} entries ${preposition} ${name}; ${howToList}`;
    const made = flag(`--${verb}-${flagName} <${entries}>`, meaning, collectEntries);
    made.options[0].conflicts(replacing);
    return made;
  };
  return { name, add: editFlag("add", "to"), remove: editFlag("remove", "from") };
}

function canonicalize({ options }: Flag<string[]>, texts: readonly string[] = [], grammar: EntryGrammar): string[] {
  const parsed = texts.map((text) => [text, grammar.parseEntry(text)] as const);
  const faults = parsed.flatMap(([text, entry]) => (entry.ok ? [] : [`${JSON.stringify(text)} ${entry.reason}`]));
  if (faults.length > 0) throw new CliError("usage", `${options[0].long}: ${faults.join("; ")}.`);
  return [...new Set(parsed.flatMap(([, entry]) => (entry.ok ? [entry.value] : [])))];
}

function refuseOverlap(field: ListName, { add, remove }: ListEdit): void {
  const both = add.filter((entry) => remove.includes(entry));
  if (both.length === 0) return;
  throw new CliError("usage", `Entries of ${field} cannot be both added and removed: ${both.join(", ")}.`);
}
