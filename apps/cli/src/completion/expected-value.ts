import type { HelpItem, HelpPage } from "../help/help-page.ts";
import { longName, valueName } from "./options.ts";

/** What a value can be. Nothing is suggested for a text. */
export type ExpectedValue =
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  | { readonly kind: "file" | "website" | "profile" | "fields" | "text" };

/** The values that the help names so, in options and in arguments. */
const byValueName: Readonly<Record<string, ExpectedValue>> = {
  file: { kind: "file" },
  website: { kind: "website" },
};

/** Options whose values have a name that means something else elsewhere. */
const byOption: Readonly<Record<string, ExpectedValue>> = {
  "--fields": { kind: "fields" },
  "--profile": { kind: "profile" },
};

/** Returns what the value of an option can be. */
export function expectedOptionValue(option: HelpItem): ExpectedValue {
  const name = valueName(option) ?? "";
  if (option.choices !== undefined) return { kind: "choice", choices: option.choices };
  return byOption[longName(option)] ?? (name === "path" ? { kind: "file" } : (byValueName[name] ?? { kind: "text" }));
}

/**
 * Returns what the next argument of a command can be. Undefined if it accepts no more arguments.
 *
 * @param count how many arguments were typed before
 */
export function expectedArgument(command: string, page: HelpPage, count: number): ExpectedValue | undefined {
  const terms = [...page.usage.matchAll(/[<[](?!options\])([\w-]+)(\.{3})?[>\]]/g)];
  const index = terms.at(-1)?.[2] === undefined ? count : Math.min(count, terms.length - 1);
  const name = terms[index]?.[1];
  if (name === undefined) return undefined;
  const choices = page.arguments.find(({ term }) => term === name)?.choices;
  if (choices !== undefined) return { kind: "choice", choices };
  if (name === "name" && command.startsWith("profiles ")) return { kind: "profile" };
  return byValueName[name] ?? { kind: "text" };
}
