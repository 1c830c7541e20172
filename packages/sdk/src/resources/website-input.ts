import { listFields, maxDomainLength, readOnlyFields, toAscii } from "@siteward/contract/plain";
import { InvalidArgumentError } from "../errors/siteward-error.ts";
import { check, plainObject } from "../options/check-options.ts";

/**
 * The fields that identify a website. An update accepts them, so that you can pass a record back, but never changes
 * them. A `domain` alone, or as a literal, does not compile: it is not assignable to "cannot be changed".
 */
export type SameWebsite<Domain extends string> =
  | { readonly id?: number; readonly domain?: "cannot be changed" | undefined }
  | { readonly id: number; readonly domain: Domain & (string extends Domain ? unknown : never) };

/**
 * Returns the fields to send: without the read-only ones, and with the empty list for null.
 *
 * @throws InvalidArgumentError if the input is not a plain object
 */
export function toFields(input: object): Record<string, unknown> {
  check("input", input, plainObject);
  const fields: Record<string, unknown> = { ...input };
  for (const field of listFields) if (fields[field] === null) fields[field] = [];
  for (const field of readOnlyFields) delete fields[field];
  return fields;
}

/** Returns the error for an update whose `id` or `domain` is that of another website. */
export function cannotChange(field: string, value: unknown): InvalidArgumentError {
  return new InvalidArgumentError(`${field} cannot be changed. Pass ${value}, or omit it.`);
}

/** Returns a name in the form in which the service stores a domain; undefined if it stores none for it. */
export function toStoredDomain(domain: unknown): string | undefined {
  const stored = toAscii(String(domain).trim())?.replace(/\.$/, "");
  return stored && stored.length <= maxDomainLength ? stored : undefined;
}
