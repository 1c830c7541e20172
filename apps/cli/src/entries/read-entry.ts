import { parseDomain } from "@siteward/contract/website-settings";
import { readSettings } from "../settings/read-settings.ts";
import { faultsOf, isStated, type Reading, showValue } from "../settings/reading.ts";
import { type EntryRules, readPasswordSource } from "./password-source.ts";
import { findUnknownFields } from "./unknown-fields.ts";
import type { Place, WebsiteEntry } from "./website-entry.ts";

/** An entry, or everything that is wrong with it. */
export type EntryReading = { readonly entry: WebsiteEntry } | { readonly problems: readonly string[] };

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a website from the fields of a file: `domain`, the settings under the names of the HTTP interface, and where its
 * password comes from. A field that is null or blank is not stated; an empty array is. The read-only fields of a record are
 * ignored, so that the output of `websites list` can be read.
 *
 * @returns the entry in canonical form, or every problem at once, worded as the service would word it
 * @example
 * readEntry({ unit: "line", number: 2 }, { domain: "Example.com", email: "on" })
 * // { entry: { place: { unit: "line", number: 2 }, domain: "example.com", settings: { email: 1 } } }
 */
export function readEntry(place: Place, fields: Fields, rules: EntryRules = {}): EntryReading {
  const domain = readDomain(fields["domain"]);
  const settings = readSettings(fields);
  const password = readPasswordSource(fields, rules);
  const unknown = findUnknownFields(Object.keys(fields), rules);
  if ("value" in domain && "value" in settings && "value" in password && unknown.length === 0) {
    const source = password.value === undefined ? {} : { password: password.value };
    return { entry: { place, domain: domain.value, settings: settings.value, ...source } };
  }
  return { problems: [...[domain, settings, password].flatMap(faultsOf), ...unknown.map(({ problem }) => problem)] };
}

function readDomain(value: unknown): Reading<string> {
  if (!isStated(value)) return { faults: ['domain is required; send a host name such as "example.com"'] };
  if (typeof value !== "string") return { faults: [`domain is ${showValue(value)}; send a string`] };
  const parsed = parseDomain(value);
  return parsed.ok ? { value: parsed.value } : { faults: [`domain ${parsed.reason}`] };
}
