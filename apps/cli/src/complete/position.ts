import type { Command, Option } from "commander";
import type { View } from "../output/view.ts";

/** A text that can be inserted, and what it means. */
export interface Candidate {
  readonly value: string;
  readonly description?: string;
}

/** The commands, which have flags and arguments once their file is loaded. */
export interface Commands {
  readonly root: Command;
  readonly load: (command: Command) => Promise<View | undefined>;
}

/** The words before the cursor. */
interface Line {
  /** The command that they call, which has the values of the flags among them. */
  readonly command: Command;
  /** Those that are neither flags nor words of the command. */
  readonly operands: readonly string[];
  /** What `--fields` of the command accepts. */
  readonly fields: readonly string[];
}

/** What the cursor is at. */
export interface Position extends Line {
  /** What can be there: one of these texts, or what has this name in the help, such as "website" or "file". */
  readonly expected: readonly Candidate[] | string;
  /** What precedes the value in the same word: `--output=`, else nothing. */
  readonly before: string;
  /** What was typed of the text to complete. */
  readonly typed: string;
}

/**
 * Reads a command line up to the cursor.
 *
 * @param words the words after the name of the program. The last one is the one to complete, and may be empty.
 * @throws CommanderError if a value before the cursor is not valid
 */
export async function findPosition(commands: Commands, words: readonly string[]): Promise<Position> {
  const isHelp = words.length > 1 && words[0] === "help";
  const earlier = words.slice(isHelp ? 1 : 0, -1);
  // What follows is no flag.
  const areFlagsOver = earlier.includes("--");
  const last = areFlagsOver ? undefined : /^-[^=]+$/.exec(earlier.at(-1) ?? "")?.[0];
  const line = await readLine(commands, last === undefined ? earlier : earlier.slice(0, -1));
  const position = { ...line, before: "", typed: words.at(-1) ?? "" };
  const pending = findOption(line.command, last);
  if (pending?.required === true) return { ...position, expected: valuesOf(pending) };
  // The flags of every command are those of the root.
  if (last !== undefined) line.command.parseOptions(commands.root.parseOptions([last]).unknown);
  if (areFlagsOver || !position.typed.startsWith("-"))
    return { ...position, expected: expectedWords(line, { isHelp, areFlagsOver }) };
  const [, flag, value = ""] = /^(--[^=]+)=(.*)$/s.exec(position.typed) ?? [];
  const option = findOption(line.command, flag);
  if (option?.required !== true) return { ...position, expected: flagsOf(line.command) };
  return { ...position, before: `${flag}=`, typed: value, expected: valuesOf(option) };
}

/** Reads words as commander does: the flags of each command, then the name of the next. */
async function readLine({ root, load }: Commands, words: readonly string[]): Promise<Line> {
  const { operands, unknown } = root.parseOptions([...words]);
  let line: Line & { readonly unknown: readonly string[] } = { command: root, operands, unknown, fields: [] };
  for (;;) {
    const [name = "", ...rest] = line.operands;
    const child = line.command.commands.find((each) => [each.name(), ...each.aliases()].includes(name));
    if (child === undefined) return line;
    const fields = Object.keys((await load(child)) ?? {});
    const parsed = child.parseOptions([...line.unknown]);
    line = { command: child, operands: [...rest, ...parsed.operands], unknown: parsed.unknown, fields };
  }
}

/** Returns what can follow if it is neither a flag nor the value of one. */
function expectedWords(
  { command, operands }: Line,
  { isHelp, areFlagsOver }: { readonly isHelp: boolean; readonly areFlagsOver: boolean },
): Position["expected"] {
  // What follows a word that is no command is unknown.
  if (command.commands.length > 0) return operands.length > 0 ? [] : childrenOf(command, isHelp);
  if (isHelp) return [];
  const { registeredArguments: all } = command;
  const argument = all[operands.length] ?? all.findLast(({ variadic }) => variadic);
  if (argument === undefined) return areFlagsOver ? [] : flagsOf(command);
  return argument.argChoices?.map((value) => ({ value })) ?? argument.name();
}

/** The flags that can follow: all but those that have no use twice. */
function flagsOf(command: Command): readonly Candidate[] {
  return optionsOf(command)
    .filter((option) => option.required || command.getOptionValueSourceWithGlobals(option.attributeName()) !== "cli")
    .map(({ long, flags, description }) => ({ value: long ?? flags, description }));
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

function findOption(command: Command, name = ""): Option | undefined {
  return optionsOf(command).find(({ short, long }) => name === short || name === long);
}

/** Returns what the value of an option can be: its choices, or its name in the help, such as `file`. */
function valuesOf({ argChoices, flags }: Option): Position["expected"] {
  return argChoices?.map((value) => ({ value })) ?? /[<[]([\w-]+)/.exec(flags)?.[1] ?? "";
}
