import type { Route } from "@siteward/contract";

/** A request with an idempotency key. */
interface SentRequest {
  readonly method: string;
  /** The path with its query, as it was sent. */
  readonly url: string;
  /** The body as it was read, before any validation. */
  readonly body: unknown;
}

/** What a request says, in a form in which two requests that say the same are equal. */
export interface SaidByRequest {
  readonly text: string;
  /** Whether it contains a field that nothing may store as it was sent. */
  readonly isSecret: boolean;
}

/** Describes what a request says: its method, path and fields in any order. */
export function describeRequest({ method, url, body }: SentRequest, { secretFields = [] }: Route): SaidByRequest {
  const fields = readFields(body);
  const sorted = fields.toSorted(([left], [right]) => (left < right ? -1 : 1));
  return {
    text: JSON.stringify([method, url, sorted]),
    isSecret: fields.some(([name]) => secretFields.includes(name)),
  };
}

/** A body without fields is refused later. Sorted as fields, the 65,000 characters of a string took 20 to 50 ms. */
function readFields(body: unknown): [name: string, value: unknown][] {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return [];
  return Object.entries(body).map(([name, value]) => [name, toFormValue(value)]);
}

/** A form has neither numbers nor arrays of one string, and the schemas accept its strings for them. */
function toFormValue(value: unknown): unknown {
  if (typeof value === "number") return String(value);
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}
