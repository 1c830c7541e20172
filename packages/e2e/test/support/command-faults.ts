import { parseArgs } from "node:util";
import { commandsIn, type HelpTexts } from "./read-programs.ts";

/**
 * Returns what is wrong with a call of one of our programs, by its help: the command, its flags, their values, and the number of its
 * arguments.
 *
 * @param isWhole false if a sentence names it, and leaves out its arguments
 */
export function commandFaults(helpTexts: HelpTexts, words: readonly string[], isWhole: boolean): readonly string[] {
  const command = findCommand(helpTexts, words);
  const help = helpTexts.get(command.join(" ")) ?? "";
  const isGroup = commandsIn(help).length > 0;
  const next = words[command.length];
  if (isGroup && next !== undefined && !next.startsWith("-")) return [`The command ${next} does not exist.`];
  const options = optionsIn(help);
  const given = tryParse(options, words.slice(command.length));
  if (typeof given === "string") return [given];
  if (given.values["help"] !== undefined || given.values["version"] !== undefined) return [];
  if (isGroup) return isWhole ? ["The command is missing."] : [];
  return [...valueFaults(options, given.values), ...argumentFaults(help, given.positionals, isWhole)];
}

/** Returns the words that name a command or a group. */
function findCommand(helpTexts: HelpTexts, words: readonly string[]): readonly string[] {
  const length = words.findIndex((_, index) => !helpTexts.has(words.slice(0, index + 1).join(" ")));
  return length === -1 ? words : words.slice(0, length);
}

interface HelpOption {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple: true;
  /** The values that it accepts, if the help lists them. */
  readonly choices: readonly string[];
}

type HelpOptions = Readonly<Record<string, HelpOption>>;

/** Reads the options of a help. Each begins on a line of its own, and continues on lines that are indented deeper. */
function optionsIn(help: string): HelpOptions {
  const items = [...help.matchAll(/^ {2}(?:-(\w), )?--([\w-]+)( <)?.*\n(?: {6,}.*\n)*/gm)];
  return Object.fromEntries(
    items.map(([item, short, name = "", value]) => {
      const choices = /\(choices: ([^)]*)\)/.exec(item.replaceAll(/\s+/g, " "))?.[1] ?? "";
      const option: HelpOption = {
        type: value === undefined ? "boolean" : "string",
        multiple: true,
        choices: [...choices.matchAll(/"([^"]*)"/g)].map(([, choice = ""]) => choice),
        ...(short === undefined ? {} : { short }),
      };
      return [name, option];
    }),
  );
}

function tryParse(options: HelpOptions, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    return String(error);
  }
}

function valueFaults(
  options: HelpOptions,
  values: Readonly<Record<string, readonly (string | boolean)[] | undefined>>,
): readonly string[] {
  return Object.entries(values).flatMap(([name, given = []]) => {
    const choices = options[name]?.choices ?? [];
    const unknown = choices.length === 0 ? [] : given.filter((value) => !choices.includes(String(value)));
    return unknown.map((value) => `--${name} does not accept ${value}.`);
  });
}

/** Compares the number of arguments with the usage, such as `<website...>` or `[file]`. */
function argumentFaults(help: string, given: readonly string[], isWhole: boolean): readonly string[] {
  const usage = /^Usage: (.*)$/m.exec(help)?.[1]?.replace("[options]", "") ?? "";
  const least = isWhole ? (usage.match(/<[^>]+>/g)?.length ?? 0) : 0;
  const most = usage.includes("...") ? Number.POSITIVE_INFINITY : (usage.match(/[<[][^>\]]+[>\]]/g)?.length ?? 0);
  if (given.length >= least && given.length <= most) return [];
  return [`It has ${given.length} arguments, and the usage is: ${usage}`];
}
