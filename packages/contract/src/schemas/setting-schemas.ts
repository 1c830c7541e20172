import * as z from "zod";
import type { EntryGrammar } from "../grammars/entry-list.ts";
import { choiceField, entryListField } from "./fields.ts";

/** What a setting of a website is in a record, in a create and in an update. */
export interface SettingSchemas {
  readonly stored: z.ZodType;
  readonly created: z.ZodType;
  readonly changed: z.ZodType;
}

/**
 * Returns the schemas of a setting whose values have names.
 *
 * @param meaning what the setting is, without its values and without a period
 * @param initial the value in a new website
 */
export function namedValue<const Value extends number>(
  values: NamedValues<Value>,
  meaning: string,
  initial: NoInfer<Value>,
) {
  const numbers: readonly Value[] = Object.values(values);
  const description = `${meaning}: ${describeNamedValues(values)}.`;
  const sent = choiceField(numbers, expectNamedValues(values)).describe(description);
  return {
    stored: z.literal(numbers).describe(description),
    created: sent.default(initial),
    changed: sent.optional(),
  };
}

/** Returns the schemas of a setting that is a list. */
export function entryList(grammar: EntryGrammar, { initial, meaning, storedForm }: ListSetting) {
  const stored = storedForm === undefined ? meaning : `${meaning} In ${storedForm}.`;
  const sent = `${meaning} Send ${listForm}.${storedForm === undefined ? "" : ` Stored in ${storedForm}.`}`;
  const field = entryListField(grammar, listForm);
  return {
    stored: z.array(z.string()).describe(stored),
    created: field.default([...initial]).describe(sent),
    changed: field.optional().describe(`${sent} An empty value clears the list.`),
  };
}

const listForm = "an array of strings, or a string with entries separated by commas or line breaks";

interface ListSetting {
  /** The list of a new website. */
  readonly initial: readonly string[];
  /** What the entries are, as a sentence. */
  readonly meaning: string;
  /** The form in which entries are stored; undefined if they are stored as they were sent. */
  readonly storedForm?: string;
}

/** Returns one of the schemas of each setting. */
export function pickForm<Settings extends Record<string, SettingSchemas>, Form extends keyof SettingSchemas>(
  settings: Settings,
  form: Form,
) {
  const schemas = Object.entries(settings).map(([name, setting]) => [name, setting[form]]);
  // The keys are those of the settings.
  return Object.fromEntries(schemas) as { [Name in keyof Settings]: Settings[Name][Form] };
}

/** The values of a field by name. */
type NamedValues<Value extends number = number> = Readonly<Record<string, Value>>;

/** Describes the values of a field for its documentation, such as "0 = Disabled, 1 = Enabled". */
function describeNamedValues(values: NamedValues): string {
  return Object.entries(values)
    .map(([name, value]) => `${value} = ${name}`)
    .join(", ");
}

/** Describes the values to send, as the end of a sentence such as "is 3; send 0 (Disabled) or 1 (Enabled)". */
function expectNamedValues(values: NamedValues): string {
  const choices = Object.entries(values).map(([name, value]) => `${value} (${name})`);
  return choices.join(", ").replace(/, (?=[^,]*$)/, " or ");
}
