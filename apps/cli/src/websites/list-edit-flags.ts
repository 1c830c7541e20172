import { type EntryGrammar, entryGrammars } from "@siteward/contract/plain";
import type { Command, Option } from "commander";
import { CliError } from "../process/cli-error.ts";
import { type ListName, type ListSetting, listSettings } from "./settings.ts";
import { listOption } from "./website-flags.ts";

/** What to add to a list and what to remove from it, in canonical form. */
export interface ListEdit {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** The edits of the lists that a command changes. */
export type ListEdits = Readonly<Partial<Record<ListName, ListEdit>>>;

/** The flags that edit each list. */
const listEditFlags = listSettings.map((setting) => ({
  name: setting.name,
  add: editOption(setting, "add", "to"),
  remove: editOption(setting, "remove", "from"),
}));

/** Declares the flags on the command. */
export function addListEditFlags(command: Command): Command {
  for (const { add, remove } of listEditFlags) command.addOption(add).addOption(remove);
  return command;
}

/**
 * Returns the edits that were given as flags, with entries in canonical form, so that they can be compared with those of
 * a record.
 *
 * @throws CliError `usage` if an entry is not valid, or is both added and removed
 */
export function readListEdits(flags: object): ListEdits {
  const edits: Partial<Record<ListName, ListEdit>> = {};
  const values: Readonly<Record<string, unknown>> = { ...flags };
  for (const { name, ...options } of listEditFlags) {
    // An empty value is a change of nothing, as in a script whose list is empty.
    if ([options.add, options.remove].every((option) => values[option.attributeName()] === undefined)) continue;
    const grammar = entryGrammars[name];
    const edit = {
      add: readEntries(options.add, values, grammar),
      remove: readEntries(options.remove, values, grammar),
    };
    const both = edit.add.filter((entry) => edit.remove.includes(entry));
    if (both.length > 0)
      throw new CliError("usage", `Entries of ${name} cannot be both added and removed: ${both.join(", ")}.`);
    edits[name] = edit;
  }
  return edits;
}

function editOption({ name, entries }: ListSetting, verb: string, preposition: string): Option {
  const flagName = name.replaceAll("_", "-");
  const option = listOption(`--${verb}-${flagName} <${entries}>`, `${verb} entries ${preposition} ${name}`);
  // It cannot be combined with what replaces the entire list.
  return option.conflicts(listOption(`--${flagName} <${entries}>`, "").attributeName());
}

function readEntries(
  option: Option,
  values: Readonly<Record<string, unknown>>,
  grammar: EntryGrammar,
): readonly string[] {
  // The parser of the option collects strings.
  const texts = (values[option.attributeName()] ?? []) as readonly string[];
  const parsed = texts.map((text) => [text, grammar.parseEntry(text)] as const);
  const faults = parsed.flatMap(([text, entry]) => (entry.ok ? [] : [`${JSON.stringify(text)} ${entry.reason}`]));
  if (faults.length > 0) throw new CliError("usage", `${option.long}: ${faults.join("; ")}.`);
  return [...new Set(parsed.flatMap(([, entry]) => (entry.ok ? [entry.value] : [])))];
}
