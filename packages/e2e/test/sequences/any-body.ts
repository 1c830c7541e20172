import type { Arbitrary } from "fast-check";
import type { Fields } from "./any-fields.ts";
import type { PlannedRequest } from "./sequence.ts";
import { weighted } from "./weighted.ts";

/** A body and the header that says what it is. */
export type SentBody = Required<Pick<PlannedRequest, "headers" | "body">> | { readonly headers: Record<string, never> };

/** Encodes fields as JSON or as a form. Guarantees send each spelling of both, and what is not read. */
export function anyBody(anyFields: Arbitrary<Fields>): Arbitrary<SentBody> {
  return weighted<SentBody>(
    [5, anyFields.map((fields) => ({ headers: typed("json"), body: JSON.stringify(fields) }))],
    [4, anyFields.map((fields) => ({ headers: typed("x-www-form-urlencoded"), body: toForm(fields) }))],
  );
}

function typed(type: string): Record<string, string> {
  return { "Content-Type": `application/${type}` };
}

/** An array is the field several times. */
function toForm(fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((entry): [string, string] => [name, toText(entry)]),
  );
  return new URLSearchParams(pairs).toString();
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
