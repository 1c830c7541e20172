import * as z from "zod";
import { type EntryGrammar, joinEntries, parseEntryList } from "../grammars/entry-list.ts";
import type { Parsed } from "../grammars/parsed.ts";

/** What an error message is made from: the refused value. */
interface RefusedValue {
  readonly input?: unknown;
}

/**
 * A whole number out of a few. A form or query string carries it as decimal text, which is read as the number.
 *
 * @param expected what to send, as it ends the sentence "… send"
 */
export function choiceField<const Values extends readonly [number, ...number[]]>(values: Values, expected: string) {
  return fromText(z.literal(values, { error: refuse(expected) }));
}

/** A positive whole number, in a query string as decimal text. */
export function positiveIntegerField(expected: string) {
  return fromText(z.int({ error: refuse(expected) }).min(1, { error: refuse(expected) }));
}

/** A text out of a few. */
export function namedChoiceField<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: refuse(values.map((value) => JSON.stringify(value)).join(" or ")) });
}

/** A text. */
export function textField(expected: string) {
  return z.string({ error: refuse(expected) });
}

/** A text that no message repeats. */
export function secretField(expected: string) {
  return z.string({ error: refuse(expected, () => "not a string") });
}

/** A text with a grammar of its own that gives it a canonical form. */
export function grammarField(parse: (text: string) => Parsed<string>, expected: string) {
  return textField(expected).transform((text, context) => {
    const parsed = parse(text);
    if (parsed.ok) return parsed.value;
    context.addIssue({ code: "custom", message: parsed.reason, input: text });
    return z.NEVER;
  });
}

/**
 * A list of texts: an array, or one text with an entry per line or between commas. An array is checked and joined in one
 * pass: zod raises an issue for each element that is no string, which took 90 ms for 30,000 numbers.
 */
export function entryListField(grammar: EntryGrammar, expected: string): z.ZodType<string[], string | string[]> {
  const list = z.union([z.string(), z.array(z.string())], { error: refuse(expected) }).transform((input, context) => {
    const { entries, faults } = parseEntryList(input, grammar);
    for (const message of faults) context.addIssue({ code: "custom", message, input });
    return entries;
  });
  const readArray = (input: unknown, context: z.RefinementCtx): unknown => {
    if (!Array.isArray(input)) return input;
    if (input.every((entry) => typeof entry === "string")) return joinEntries(input);
    context.addIssue({ code: "custom", message: `contains an entry that is not a string; send ${expected}`, input });
    return z.NEVER;
  };
  // Preprocessing types the input as unknown; it is what the union takes.
  return z.preprocess(readArray, list) as unknown as z.ZodType<string[], string | string[]>;
}

/** An object that refuses fields it does not name, and says which it takes. */
export function closedObject<Shape extends z.core.$ZodShape>(shape: Shape) {
  const known = Object.keys(shape)
    .filter((name) => !takesNothing(shape[name]))
    .join(", ");
  return z.strictObject(shape, {
    error: ({ code }) => (code === "unrecognized_keys" ? `is unknown; send only ${known}` : "must be a JSON object"),
  });
}

function takesNothing(field: z.core.$ZodType | undefined): boolean {
  return field instanceof z.ZodOptional && field.unwrap() instanceof z.ZodNever;
}

function refuse(expected: string, describe = describeValue): (value: RefusedValue) => string {
  return ({ input }) => {
    if (input === undefined) return `is required; send ${expected}`;
    if (Array.isArray(input)) return `was sent more than once or as an array; send it once, as ${expected}`;
    return `is ${describe(input)}; send ${expected}`;
  };
}

function describeValue(input: unknown): string {
  if (input === "") return "empty";
  if (typeof input === "object" && input !== null) return "an object";
  const text = typeof input === "string" ? JSON.stringify(input) : String(input);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Reads decimal text as the number it writes, and leaves every other value for the schema to judge. */
function fromText<Schema extends z.ZodType>(schema: Schema): z.ZodType<z.output<Schema>, z.input<Schema>> {
  const readNumber = (value: unknown): unknown =>
    typeof value === "string" && /^(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value;
  // Preprocessing types the input as unknown. Text is how forms and queries spell a number; a typed caller sends the number.
  return z.preprocess(readNumber, schema) as unknown as z.ZodType<z.output<Schema>, z.input<Schema>>;
}
