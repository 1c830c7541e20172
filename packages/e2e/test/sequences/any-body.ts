import fc, { type Arbitrary } from "fast-check";
import type { Fields } from "./any-fields.ts";
import type { PlannedRequest } from "./sequence.ts";
import { weighted } from "./weighted.ts";

/** A body and the header that says what it is. */
export type SentBody = Required<Pick<PlannedRequest, "headers" | "body">> | { readonly headers: Record<string, never> };

const json = { "Content-Type": "application/json" };
const form = { "Content-Type": "application/x-www-form-urlencoded" };

/** Encodes fields in one of the ways that the API describes, or sends something that it does not read. */
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
    [3, anyFields.chain(anyTypedJson)],
    [7, anyOddBody],
  );
}

function anyTypedJson(fields: Fields): Arbitrary<SentBody> {
  const types = ["Application/JSON; charset=UTF-8", 'application/json;charset="utf-8"'];
  const otherTypes = ["text/plain", "application/json; charset=latin1", ";", "application/json, text/plain"];
  return fc.constantFrom(...types, ...otherTypes).map((type) => ({
    headers: { "Content-Type": type },
    body: JSON.stringify(fields),
  }));
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

const brokenJson = [
  ...["{", '{"domain":', "{'a':1}", "\ufeff{}", "NaN", '{"domain":"a.example","domain":"b.example"}'],
  ...['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{}}}', '{"constructor":1}', '{"domain":"\u0001"}'],
  ...['{"a":1}{"b":2}', "[", "", " ", "[]", "null", "1", '"domain"', '[{"domain":"a.example"}]'],
  ...['{"domain":"\\ud800.com"}', `${"[".repeat(1001)}${"]".repeat(1001)}`],
];
const oddForms = [
  ...["domain=%", "domain=%zz", "%ff=1", "domain=%c3%28", "", "&&", "=", "domain", "domain=a.example&domain=b.example"],
  ...["domain[]=a.example", "domain[x]=a.example", "__proto__=1&domain=a.example", "domain=a.example&privacy="],
  ...["domain=a.example&exclude_params=q&exclude_params[]=gclid", "+domain=a.example", "%64omain=c.example"],
];
const manyFields = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`);
const largeBodies: readonly SentBody[] = [
  { headers: json, body: `{}${" ".repeat(64 * 1024 - 2)}` },
  { headers: json, body: `{}${" ".repeat(64 * 1024 - 1)}` },
  { headers: form, body: `domain=a.example&${"&".repeat(64 * 1024)}` },
  { headers: form, body: manyFields(1000).join("&") },
  { headers: form, body: manyFields(1001).join("&") },
  { headers: json, body: JSON.stringify(Object.fromEntries(manyFields(1001).map((name) => [name, 1]))) },
];
const invalidBytes = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
const oddBodies: readonly SentBody[] = [
  { headers: {} },
  { headers: json, body: invalidBytes },
  { headers: form, body: invalidBytes },
];

const anyOddBody = weighted<SentBody>(
  [10, fc.constantFrom(...brokenJson).map((body) => ({ headers: json, body }))],
  [10, fc.constantFrom(...oddForms).map((body) => ({ headers: form, body }))],
  [4, fc.constantFrom(...oddBodies)],
  [2, fc.constantFrom(...largeBodies)],
);
