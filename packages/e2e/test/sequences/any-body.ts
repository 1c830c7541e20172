import fc, { type Arbitrary } from "fast-check";
import type { Fields } from "./any-fields.ts";
import type { PlannedRequest } from "./sequence.ts";
import { weighted } from "./weighted.ts";

/** A body and the header that says what it is. */
export type SentBody = Required<Pick<PlannedRequest, "headers" | "body">> | { readonly headers: Record<string, never> };

const json = { "Content-Type": "application/json" };
const form = { "Content-Type": "application/x-www-form-urlencoded" };

/** Encodes fields in one of the ways that the API describes. Guarantees send what it does not read. */
export function anyBody(anyFields: Arbitrary<Fields>): Arbitrary<SentBody> {
  return weighted<SentBody>(
    [
      50,
      fc
        .tuple(anyFields, fc.constantFrom(0, 0, 0, 1))
        .map(([fields, indent]) => ({ headers: json, body: JSON.stringify(fields, null, indent) })),
    ],
    [
      40,
      fc
        .tuple(anyFields, fc.constantFrom(toForm, toForm, toBracketForm, toPercentForm))
        .map(([fields, encode]) => ({ headers: form, body: encode(fields) })),
    ],
  );
}

function toForm(fields: Fields): string {
  return writeForm(fields, (name) => name);
}

function toBracketForm(fields: Fields): string {
  return writeForm(fields, (name) => `${name}[]`);
}

/** What may stay as it is is encoded, and a space is not a plus. */
function toPercentForm(fields: Fields): string {
  const encodeFirst = (name: string) => `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
  const form = writeForm(fields, (name) => name);
  return form.replaceAll("+", "%20").replaceAll(/(?<=^|&)[a-z]\w*(?==)/g, encodeFirst);
}

/** An array is the field several times. */
function writeForm(fields: Fields, nameOf: (name: string) => string): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.map((entry): [string, string] => [nameOf(name), toText(entry)])
      : [[name, toText(value)] satisfies [string, string]],
  );
  return new URLSearchParams(pairs).toString();
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
