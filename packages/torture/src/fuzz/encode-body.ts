import type { Random } from "../random.ts";

export interface EncodedBody {
  readonly contentType: string;
  readonly text: string;
  /** What the server must read from the body. */
  readonly decoded: Record<string, unknown>;
}

/** Encodes fields as JSON or as a form, with lists in one of their spellings. */
export function encodeBody(random: Random, fields: Readonly<Record<string, unknown>>): EncodedBody {
  const isForm = random.chance(0.5) && Object.values(fields).every(isFormValue);
  return isForm ? encodeForm(random, fields) : encodeJson(random, fields);
}

function encodeJson(random: Random, fields: Readonly<Record<string, unknown>>): EncodedBody {
  const decoded = mapValues(fields, (value) => {
    const isList = Array.isArray(value) && value.every((entry) => typeof entry === "string");
    return isList && random.chance(0.3) ? joinEntries(random, value) : value;
  });
  const contentType = random.pick(["application/json", "Application/JSON; charset=UTF-8"]);
  return { contentType, text: JSON.stringify(decoded, null, random.pick([0, 1])), decoded };
}

function encodeForm(random: Random, fields: Readonly<Record<string, unknown>>): EncodedBody {
  const pairs: string[] = [];
  const decoded = mapValues(fields, (value, name) => {
    const isSpread = Array.isArray(value) && value.length > 0 && random.chance(0.6);
    const values = isSpread ? value : [Array.isArray(value) ? joinEntries(random, value) : String(value)];
    const key = encode(random, random.chance(isSpread ? 0.5 : 0.1) ? `${name}[]` : name);
    for (const entry of values) pairs.push(`${key}=${encode(random, entry)}`);
    return values.length === 1 ? values[0] : values;
  });
  return { contentType: "application/x-www-form-urlencoded", text: pairs.join("&"), decoded };
}

/** Whether a form can contain a value: a number, a string or an array of strings. */
function isFormValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((entry) => typeof entry === "string" && entry.isWellFormed());
  return typeof value === "number" || (typeof value === "string" && value.isWellFormed());
}

function joinEntries(random: Random, entries: readonly string[]): string {
  return entries.join(random.pick(["\n", "\r\n", ",", " , ", "\n\n"]));
}

function encode(random: Random, text: string): string {
  const encoded = encodeURIComponent(text);
  return random.chance(0.5) ? encoded.replaceAll("%20", "+") : encoded;
}

function mapValues(
  fields: Readonly<Record<string, unknown>>,
  map: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value, name)]));
}
