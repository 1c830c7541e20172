import { createWebsiteBody, updateWebsiteBody, website } from "@siteward/contract";
import { Privacy } from "@siteward/contract/plain";
import fc, { type Arbitrary } from "fast-check";
import { oddValues, samples, secrets } from "./samples.ts";
import { sometimes, weighted } from "./weighted.ts";

/** The fields of a body, by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** What is asked of the schema of a field. */
interface FieldSchema {
  safeParse(value: unknown): { readonly success: boolean };
}

/** The fields of a record. What a record does not have is a secret. */
const recordFields = new Map(Object.entries(website.shape));

/** Chooses a value of a field, most of them valid. Undefined means that the field is not sent. */
function anyField(name: string, schema: FieldSchema): Arbitrary<unknown> {
  const recorded = recordFields.get(name);
  if (recorded === undefined) return sometimes(6, anySecret);
  if (recorded.type === "literal") return sometimes(35, anyChoice(name, [...recorded.values]));
  if (recorded.type === "array") return sometimes(30, anyList(schema));
  return accepts(schema, undefined) ? sometimes(35, anyText(schema)) : anyText(schema);
}

/** Whether a body has the field only for the message that refuses it. */
function acceptsNothing(schema: FieldSchema): boolean {
  const values = [...samples, ...secrets, ...oddValues, 0];
  return !values.some((value) => accepts(schema, value) || accepts(schema, [value]));
}

const anyOddValue: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...oddValues),
  fc.jsonValue({ maxDepth: 1 }),
  fc.string({ unit: "grapheme", maxLength: 12 }),
);

const passwordField = createWebsiteBody.shape.password;
const anyValidSecret = fc.constantFrom(...secrets.filter((text) => text !== "" && accepts(passwordField, text)));

const anySecret = weighted<unknown>(
  [1, anyValidSecret],
  [20, fc.constantFrom(...secrets.filter((text) => text === "" || !accepts(passwordField, text)))],
  [5, anyOddValue],
);

function anyText(schema: FieldSchema): Arbitrary<unknown> {
  const accepted = samples.filter((text) => accepts(schema, text));
  return weighted<unknown>(
    [70, fc.constantFrom(...accepted.slice(0, 6))],
    [15, fc.constantFrom(...accepted)],
    [8, fc.constantFrom(...samples)],
    [4, anyOddValue],
  );
}

/** A number as itself or as a string, or another value. What a create accepts without another field is sent most often. */
function anyChoice(name: string, values: readonly unknown[]): Arbitrary<unknown> {
  const alone = values.filter((value) => accepts(createWebsiteBody, { domain: samples[0], [name]: value }));
  return weighted<unknown>(
    [20, fc.constantFrom(...alone)],
    [8, fc.constantFrom(...alone).map(String)],
    [6, fc.constantFrom(...values)],
    [1, anyOddValue],
  );
}

function anyList(schema: FieldSchema): Arbitrary<unknown> {
  const accepted = samples.filter((text) => accepts(schema, [text]));
  const anyEntries = fc.array(fc.constantFrom(...accepted), { maxLength: 4 });
  const separators = [",", "\n", "\r\n", " , ", "\n\n"];
  const toEntries = (length: number) => Array.from({ length }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
  return weighted<unknown>(
    [20, anyEntries],
    [10, fc.tuple(anyEntries, fc.constantFrom(...separators)).map(([entries, separator]) => entries.join(separator))],
    [2, fc.array(fc.constantFrom(...samples), { minLength: 1, maxLength: 6 })],
    // The limits of the lists, and one entry more.
    [1, fc.constantFrom(100, 101, 500, 501).map(toEntries)],
    [1, anyOddValue],
  );
}

function accepts(schema: FieldSchema, value: unknown): boolean {
  return schema.safeParse(value).success;
}

/** Builds bodies from the fields of the contract, so that a field that is added to it is sent without a change here. */
function anyFieldsOf(shape: Readonly<Record<string, FieldSchema>>): Arbitrary<Fields> {
  const known = Object.entries(shape).filter(([, schema]) => !acceptsNothing(schema));
  const fields = Object.fromEntries(known.map(([name, schema]) => [name, anyField(name, schema)]));
  const withPassword = { privacy: fc.constant(Privacy.Password), password: anyValidSecret };
  return weighted<Fields>(
    [150, fc.record(fields)],
    [1, fc.record({ ...fields, ...withPassword })],
    [3, fc.record(fields, { requiredKeys: [] })],
  ).map(withoutUndefined);
}

function withoutUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export const anyCreateFields: Arbitrary<Fields> = anyFieldsOf(createWebsiteBody.shape);
export const anyUpdateFields: Arbitrary<Fields> = anyFieldsOf(updateWebsiteBody.shape);
