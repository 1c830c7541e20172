import { Option } from "commander";
import type { FieldFlag, OptionValues } from "./field-flags.ts";

/** One flag that sets one value by itself. */
export interface Flag<Value> extends FieldFlag<Value> {
  readonly read: (values: OptionValues) => Value | undefined;
}

/**
 * Declares a flag that takes a value.
 *
 * @param syntax as commander reads it: `--name <value>`
 * @param parse called for each use of the flag, with its text and the value so far
 */
export function flag<Value>(
  syntax: string,
  description: string,
  parse: (text: string, earlier: Value | undefined) => Value,
): Flag<Value> {
  return flagOf(new Option(syntax, description).argParser(parse));
}

/** Declares a flag that accepts other spellings of the values that the help lists and completion suggests. */
export function valuesFlag<Value>(
  syntax: string,
  description: string,
  { values, parse }: { readonly values: readonly string[]; readonly parse: (text: string) => Value },
): Flag<Value> {
  return flagOf(new Option(syntax, description).choices(values).argParser(parse));
}

/** Declares a flag whose value is sent as it was typed. */
export function textFlag(syntax: string, description: string): Flag<string> {
  return flagOf(new Option(syntax, description));
}

/** Declares a flag without a value. */
export function presenceFlag(syntax: string, description: string): Flag<true> {
  return flagOf(new Option(syntax, description));
}

/** Declares a flag that accepts only these choices, each under the text that selects it. */
export function choiceFlag<Value extends string | number>(
  syntax: string,
  description: string,
  choices: Readonly<Record<Value, Value>>,
): Flag<Value> {
  const option = new Option(syntax, description).choices(Object.keys(choices));
  // Commander refuses every text that is not a key of the choices.
  return { options: [option], read: (values) => choices[values[option.attributeName()] as Value] };
}

function flagOf<Value>(option: Option): Flag<Value> {
  // Commander stores under this name what the parser of the option returned.
  return { options: [option], read: (values) => values[option.attributeName()] as Value | undefined };
}
