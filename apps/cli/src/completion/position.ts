import type { HelpItem, HelpPage } from "../help/help-page.ts";
import { type ExpectedValue, expectedArgument, expectedOptionValue } from "./expected-value.ts";
import { type FindPage, longName, optionNames, optionsOf, type TypedOptions, valueName } from "./options.ts";

/** A text that can be inserted, and what it means. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** What the cursor is at. */
export interface Position {
  /** The words of the command that was typed so far, without the name of the program. */
  readonly command: string;
  /** The names of commands or flags, or what the value can be. */
  readonly expected: ExpectedValue | { readonly kind: "name"; readonly names: readonly Candidate[] };
  /** What precedes the value in the same word: `--output=`, else nothing. */
  readonly before: string;
  /** What was typed of the text to complete. */
  readonly typed: string;
  readonly options: TypedOptions;
  /** The arguments before the cursor, without the words of the command. */
  readonly arguments: readonly string[];
}

/**
 * Reads a command line up to the cursor.
 *
 * @param words the words after the name of the program. The last one is the one to complete, and may be empty.
 */
export function findPosition(findPage: FindPage, words: readonly string[]): Position {
  const typed = words.at(-1) ?? "";
  const isHelp = words.length > 1 && words[0] === "help";
  const start: Reading = { command: "", options: new Map(), arguments: [], pending: undefined, isAfterDashes: false };
  const reading = words.slice(isHelp ? 1 : 0, -1).reduce((done, word) => readWord(findPage, done, word), start);
  const at = { command: reading.command, options: reading.options, arguments: reading.arguments, before: "", typed };
  if (reading.pending !== undefined) return { ...at, expected: expectedOptionValue(reading.pending) };
  if (typed.startsWith("-") && !reading.isAfterDashes) return { ...at, ...readFlag(findPage, reading, typed) };
  const page = pageOf(findPage, reading.command);
  if (page.commands.length > 0) {
    // What follows a word that is no command is unknown.
    const names = reading.arguments.length === 0 ? commandNames(page, isHelp) : [];
    return { ...at, expected: { kind: "name", names } };
  }
  const argument = isHelp ? undefined : expectedArgument(reading.command, page, reading.arguments.length);
  if (argument !== undefined) return { ...at, expected: argument };
  const offersFlags = typed === "" && !reading.isAfterDashes && !isHelp;
  return { ...at, expected: { kind: "name", names: offersFlags ? flagNames(findPage, reading) : [] } };
}

/** What the words before the cursor say. */
interface Reading extends Pick<Position, "command" | "options" | "arguments"> {
  /** The option whose value comes next. */
  readonly pending: HelpItem | undefined;
  /** Whether `--` was typed, after which no word is an option. */
  readonly isAfterDashes: boolean;
}

function readWord(findPage: FindPage, reading: Reading, word: string): Reading {
  const { command, options, pending, isAfterDashes } = reading;
  if (pending !== undefined) {
    return { ...reading, options: new Map([...options, [longName(pending), word]]), pending: undefined };
  }
  if (!isAfterDashes && word === "--") return { ...reading, isAfterDashes: true };
  if (!isAfterDashes && word.startsWith("-") && word !== "-") return readOption(findPage, reading, word);
  const child = `${command} ${word}`.trim();
  const isCommand = reading.arguments.length === 0 && findPage(child) !== undefined;
  return isCommand ? { ...reading, command: child } : { ...reading, arguments: [...reading.arguments, word] };
}

function readOption(findPage: FindPage, reading: Reading, word: string): Reading {
  const [, name = "", value] = /^([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  const option = findOption(findPage, reading, name);
  // An option that is not known may take a value or not. Most do not.
  if (option === undefined) return reading;
  if (valueName(option) !== undefined && value === undefined) return { ...reading, pending: option };
  return { ...reading, options: new Map([...reading.options, [longName(option), value ?? ""]]) };
}

/** Reads the word to complete, which starts with a dash: the name of a flag, or a flag with its value. */
function readFlag(findPage: FindPage, reading: Reading, word: string): Pick<Position, "expected" | "before" | "typed"> {
  const end = word.indexOf("=");
  const option = end === -1 ? undefined : findOption(findPage, reading, word.slice(0, end));
  if (option !== undefined && valueName(option) !== undefined) {
    return {
      before: word.slice(0, end + 1),
      typed: word.slice(end + 1),
      expected: expectedOptionValue(option),
    };
  }
  return { before: "", typed: word, expected: { kind: "name", names: flagNames(findPage, reading) } };
}

function findOption(findPage: FindPage, { command }: Reading, name: string): HelpItem | undefined {
  return optionsOf(findPage, pageOf(findPage, command)).find((option) => optionNames(option).includes(name));
}

/** The flags that can follow: all but those that were typed and take no value, so that they have no use twice. */
function flagNames(findPage: FindPage, { command, options }: Reading): readonly Candidate[] {
  return optionsOf(findPage, pageOf(findPage, command))
    .filter((option) => valueName(option) !== undefined || !options.has(longName(option)))
    .map((option) => ({ value: longName(option), description: option.description }));
}

function commandNames(page: HelpPage, isHelp: boolean): readonly Candidate[] {
  const names = page.commands.map(({ term, description }) => ({ value: term, description }));
  const isRoot = page.globalOptions.length === 0;
  return isRoot && !isHelp ? [...names, { value: "help", description: "print the help of a command" }] : names;
}

function pageOf(findPage: FindPage, command: string): HelpPage {
  const page = findPage(command);
  if (page === undefined) throw new Error(`No help page of "${command}".`);
  return page;
}
