import { type EntryGrammar, entryGrammars } from "@siteward/contract/plain";
import type { Website } from "@siteward/sdk";
import type { Edit } from "@siteward/sdk/bulk";
import type { Command, Option } from "commander";
import { CliError } from "../process/cli-error.ts";
import { type ListName, type ListSetting, listSettings } from "./settings.ts";
import { listOption } from "./website-flags.ts";

/** What to add to the lists that a command changes, and what to remove from them, in canonical form. */
type ListEdits = Pick<Edit, "add" | "remove">;

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
 * Returns the edits that were given as flags, with entries in canonical form.
 *
 * @throws CliError `usage` if an entry is not valid, or is both added and removed
 */
export function readListEdits(flags: object): ListEdits {
  const add: Partial<Record<ListName, readonly string[]>> = {};
  const remove: typeof add = {};
  const values: Readonly<Record<string, unknown>> = { ...flags };
  for (const { name, ...options } of listEditFlags) {
    // An empty value is a change of nothing, as in a script whose list is empty.
    if ([options.add, options.remove].every((option) => values[option.attributeName()] === undefined)) continue;
    const grammar = entryGrammars[name];
    const added = readEntries(options.add, values, grammar);
    const removed = readEntries(options.remove, values, grammar);
    const both = added.filter((entry) => removed.includes(entry));
    if (both.length > 0)
      throw new CliError("usage", `Entries of ${name} cannot be both added and removed: ${both.join(", ")}.`);
    [add[name], remove[name]] = [added, removed];
  }
  return Object.keys(add).length === 0 ? {} : { add, remove };
}

/** Says which entries to remove are not in the lists of the website: "exclude_ips does not contain 203.0.113.7". */
export function describeAbsent(website: Website, { remove = {} }: ListEdits): readonly string[] {
  return listSettings.flatMap(({ name }) =>
    (remove[name] ?? [])
      .filter((entry) => !website[name].includes(entry))
      .map((entry) => `${name} does not contain ${entry}`),
  );
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
