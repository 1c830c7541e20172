import type { HelpItem, HelpPage } from "../help/help-page.ts";

/** Returns the help of a command by its words, without the name of the program. Undefined if there is no such command. */
export type FindPage = (command: string) => HelpPage | undefined;

/** The options on a command line: their values under their long names. The value is empty if they take none. */
export type TypedOptions = ReadonlyMap<string, string>;

/** Returns the options that a command accepts: its own, then those of every command. */
export function optionsOf(findPage: FindPage, page: HelpPage): readonly HelpItem[] {
  const all = [...page.options, ...page.globalOptions, ...(findPage("")?.options ?? [])];
  return all.filter(({ term }, index) => all.findIndex((other) => other.term === term) === index);
}

/** Returns the names of an option, the long one last: `-o` and `--output`. */
export function optionNames({ term }: HelpItem): readonly string[] {
  return term.split(/[ ,|]+/).filter((part) => part.startsWith("-"));
}

/** Returns the name under which {@link TypedOptions} has the option. */
export function longName(option: HelpItem): string {
  return optionNames(option).at(-1) ?? option.term;
}

/** Returns the name of the option's value in the help, such as `format`. Undefined if it takes none. */
export function valueName({ term }: HelpItem): string | undefined {
  return /[<[]([\w-]+)/.exec(term)?.[1];
}
