import * as z from "zod";
import { type EntryGrammar, type Parsed, parseEntryList } from "../grammars/entry-list.ts";

/** The invalid value that an error message describes. */
interface RefusedValue {
  readonly input?: unknown;
}

/**
 * Accepts one of a few whole numbers. A form or query string contains the number as a decimal string, which is converted.
 *
 * @param expected what to send, as the end of a sentence such as "is 3; send …"
 */
export function choiceField<const Value extends number>(values: readonly Value[], expected: string) {
  return fromText(z.literal(values, { error: refuse(expected) }));
}

/** Accepts a positive whole number, in a query string as a decimal string. */
export function positiveIntegerField(expected: string) {
  return fromText(z.int({ error: refuse(expected) }).min(1, { error: refuse(expected) }));
}

/** Accepts one of a few strings. */
export function namedChoiceField<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: refuse(values.map((value) => JSON.stringify(value)).join(" or ")) });
}

/** Accepts a string. */
export function textField(expected: string) {
  return z.string({ error: refuse(expected, describeValue, "") });
}

/** Accepts a string that no message repeats. */
export function secretField(expected: string) {
  return z.string({ error: refuse(expected, () => "not a string") });
}

/** Accepts a string with a grammar of its own, and returns its canonical form. */
export function grammarField(parse: (text: string) => Parsed<string>, expected: string) {
  return textField(expected).transform((text, context) => {
    const parsed = parse(text);
    if (parsed.ok) return parsed.value;
    context.addIssue({ code: "custom", message: parsed.reason, input: text });
    return z.NEVER;
  });
}

/**
 * Accepts a list: an array of strings, or a string with entries separated by commas or line breaks. It is parsed before zod checks
 * it, because zod adds an issue for each element of an array that is not a string, which took 90 ms for 30,000 numbers.
 */
export function entryListField(grammar: EntryGrammar, expected: string): z.ZodType<string[], string | string[]> {
  const list = z.union([z.string(), z.array(z.string())], { error: refuse(expected) });
  const readEntries = (input: unknown, context: z.RefinementCtx): unknown => {
    if (typeof input !== "string" && !Array.isArray(input)) return input;
    if (typeof input !== "string" && !input.every((entry) => typeof entry === "string")) {
      context.addIssue({ code: "custom", message: `contains an entry that is not a string; send ${expected}`, input });
      return z.NEVER;
    }
    const { entries, faults } = parseEntryList(input, grammar);
    for (const message of faults) context.addIssue({ code: "custom", message, input });
    return entries;
  };
  // Preprocessing types the input as unknown. It accepts what the union accepts, and returns the entries.
  return z.preprocess(readEntries, list) as unknown as z.ZodType<string[], string | string[]>;
}

/** Accepts an object without unknown fields. The message for an unknown field lists the known ones. */
export function closedObject<Shape extends z.core.$ZodShape>(shape: Shape) {
  const known = Object.entries(shape)
    .flatMap(([name, field]) => (field instanceof z.ZodOptional && field.unwrap() instanceof z.ZodNever ? [] : name))
    .join(", ");
  return z.strictObject(shape, {
    error: ({ code }) => (code === "unrecognized_keys" ? `is unknown; send only ${known}` : "must be a JSON object"),
  });
}

/** The query of a change, which is not read: a field of its body there is refused instead of ignored. */
export function queryWithout({ shape }: z.ZodObject) {
  const refused = z.never({ error: "is in the query; send it in the body" }).optional();
  return z.object(Object.fromEntries(Object.keys(shape).map((name) => [name, refused])));
}

function refuse(expected: string, describe = describeValue, ifNull = "omit it or "): (value: RefusedValue) => string {
  return ({ input }) => {
    if (input === undefined) return `is required; send ${expected}`;
    if (Array.isArray(input)) return `was sent more than once or as an array; send it once, as ${expected}`;
    return `is ${describe(input)}; ${input === null ? ifNull : ""}send ${expected}`;
  };
}

function describeValue(input: unknown): string {
  if (input === "") return "empty";
  if (typeof input === "object" && input !== null) return "an object";
  return typeof input === "string" ? JSON.stringify(shorten(input)) : shorten(String(input));
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Converts a decimal string to a number, and leaves every other value to the schema. */
function fromText<Schema extends z.ZodType>(schema: Schema): z.ZodType<z.output<Schema>, z.input<Schema>> {
  const readNumber = (value: unknown): unknown =>
    typeof value === "string" && /^(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value;
  // Preprocessing types the input as unknown. Forms and queries send a number as a string; a typed caller sends the number.
  return z.preprocess(readNumber, schema) as unknown as z.ZodType<z.output<Schema>, z.input<Schema>>;
}
