import type { Argument, Command, Option } from "commander";
import type { View } from "../output/view.ts";

/** A text that can be inserted, and what it means. */
export interface Candidate {
  readonly value: string;
  readonly description?: string;
}

/** What the cursor is at. */
export interface Position extends Readonly<Line> {
  /** What can be there: one of these texts, or what has this name in the help, such as "website" or "file". */
  readonly expected: readonly Candidate[] | string;
  /** What precedes the value in the same word: `--output=`, else nothing. */
  readonly before: string;
  /** What was typed of the text to complete. */
  readonly typed: string;
}

/** What the words before the cursor say. */
interface Line {
  command: Command;
  /** The option whose value comes next. */
  pending?: Option | undefined;
  /** Whether `--` was typed, after which no word is an option. */
  isAfterDashes: boolean;
  /** The options: their values under their long names. The value is empty if they take none. */
  readonly options: Map<string, string>;
  /** The arguments, without the words of the command. */
  readonly arguments: string[];
  /** What `--fields` of the command accepts. */
  fields: readonly string[];
}

/** The commands, which have flags and arguments once their file is loaded. */
export interface Commands {
  readonly root: Command;
  readonly load: (command: Command) => Promise<View | undefined>;
}

/**
 * Reads a command line up to the cursor.
 *
 * @param words the words after the name of the program. The last one is the one to complete, and may be empty.
 */
export async function findPosition({ root, load }: Commands, words: readonly string[]): Promise<Position> {
  const isHelp = words.length > 1 && words[0] === "help";
  const line: Line = { command: root, isAfterDashes: false, options: new Map(), arguments: [], fields: [] };
  for (const word of words.slice(isHelp ? 1 : 0, -1)) await readWord(line, word, load);
  const word = words.at(-1) ?? "";
  const [flag, value] = splitFlag(line, word);
  const option = value === undefined ? undefined : findOption(line.command, flag);
  if (option === undefined || !takesValue(option))
    return { ...line, before: "", typed: word, expected: expectedAt(line, word, isHelp) };
  return { ...line, before: `${flag}=`, typed: value ?? "", expected: expectedOf(option, valueName(option)) };
}

async function readWord(line: Line, word: string, load: Commands["load"]): Promise<void> {
  const { command, pending, options } = line;
  const [flag, value] = splitFlag(line, word);
  if (pending !== undefined) {
    options.set(longName(pending), word);
    line.pending = undefined;
  } else if (flag === "--") line.isAfterDashes = true;
  else if (flag !== "") {
    const option = findOption(command, flag);
    // An option that is not known may take a value or not. Most do not.
    if (option === undefined) return;
    if (takesValue(option) && value === undefined) line.pending = option;
    else options.set(longName(option), value ?? "");
  } else {
    const child = command.commands.find((each) => [each.name(), ...each.aliases()].includes(word));
    if (child === undefined || line.arguments.length > 0) line.arguments.push(word);
    else {
      line.command = child;
      line.fields = Object.keys((await load(child)) ?? {});
    }
  }
}

/** Returns the flag of a word and the value behind it, if it has one. The flag is empty if the word is something else. */
function splitFlag({ pending, isAfterDashes }: Line, word: string): readonly [flag: string, value?: string] {
  if (pending !== undefined || isAfterDashes) return [""];
  const [, flag = "", value] = /^(-[^=]+)(?:=(.*))?$/s.exec(word) ?? [];
  return value === undefined ? [flag] : [flag, value];
}

function expectedAt(line: Line, typed: string, isHelp: boolean): Position["expected"] {
  const { command, pending, isAfterDashes, arguments: before } = line;
  if (pending !== undefined) return expectedOf(pending, valueName(pending));
  if (typed.startsWith("-") && !isAfterDashes) return flagsOf(line);
  // What follows a word that is no command is unknown.
  if (command.commands.length > 0) return before.length > 0 ? [] : childrenOf(command, isHelp);
  if (isHelp) return [];
  const { registeredArguments: all } = command;
  const argument = all[before.length] ?? all.findLast(({ variadic }) => variadic);
  if (argument !== undefined) return expectedOf(argument, argument.name());
  return typed === "" && !isAfterDashes ? flagsOf(line) : [];
}

/** Returns what an argument, or the value of an option, can be. */
function expectedOf({ argChoices }: Pick<Option | Argument, "argChoices">, name: string): Position["expected"] {
  return argChoices?.map((value) => ({ value })) ?? name;
}

/** The flags that can follow: all but those that were typed and take no value, so that they have no use twice. */
function flagsOf({ command, options }: Line): readonly Candidate[] {
  return optionsOf(command)
    .filter((option) => takesValue(option) || !options.has(longName(option)))
    .map((option) => ({ value: longName(option), description: option.description }));
}

function childrenOf({ commands, parent }: Command, isHelp: boolean): readonly Candidate[] {
  const names = commands.map((command) => ({ value: command.name(), description: command.summary() }));
  return parent === null && !isHelp ? [...names, { value: "help", description: "print the help of a command" }] : names;
}

/** Returns the options that a command accepts: its own, then those of every command. */
function optionsOf(command: Command): readonly Option[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}

function findOption(command: Command, name: string): Option | undefined {
  return optionsOf(command).find(({ short, long }) => name === short || name === long);
}

function longName({ long, flags }: Option): string {
  return long ?? flags;
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

/** Returns the name of an option's value in the help, such as `format`. */
function valueName({ flags }: Option): string {
  return /[<[]([\w-]+)/.exec(flags)?.[1] ?? "";
}
