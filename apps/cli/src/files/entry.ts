import { findPasswordTextFault, parseDomain, readOnlyFields, type WebsiteSettings } from "@siteward/contract/plain";
import { closestMatch } from "leven";
import { faultsOf, isStated, type Reading, showValue } from "../websites/field-reading.ts";
import { readSettings } from "../websites/read-settings.ts";
import { type ListName, settingNames } from "../websites/settings.ts";

/** A website as a file states it. */
export interface WebsiteEntry {
  readonly place: Place;
  /** In canonical ASCII form. */
  readonly domain: string;
  /** Only the settings that the file states, in the form in which the service stores them. */
  readonly settings: Partial<Readonly<WebsiteSettings>>;
  readonly password?: PasswordSource;
  /** The lists of the file whose entries are in these settings. */
  readonly lists?: Readonly<Partial<Record<ListName, readonly string[]>>>;
}

/** Where an entry is in its file: a line of text, or an item of a list. Both count from 1. */
export interface Place {
  readonly unit: "line" | "item";
  readonly number: number;
}

/** Where a password comes from: an environment variable, a file, or the entry itself. */
export type PasswordSource = { readonly env: string } | { readonly file: string } | { readonly value: string };

/** An entry, or what is wrong with it. */
export type EntryReading = { readonly entry: WebsiteEntry } | { readonly problems: readonly string[] };

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a website from the fields of a file: `domain`, the settings under the names of the HTTP interface, and where its
 * password comes from. A field that is null or blank is not stated; an empty array is. The read-only fields of a record are
 * ignored, so that the output of `websites list` can be read.
 *
 * @returns the entry in canonical form, or its first problems, worded as the service would word them
 * @example
 * readEntry({ unit: "line", number: 2 }, { domain: "Example.com", email: "on" })
 * // { entry: { place: { unit: "line", number: 2 }, domain: "example.com", settings: { email: 1 } } }
 */
export function readEntry(place: Place, fields: Fields, rules: EntryRules = {}): EntryReading {
  const { maxProblems = 10 } = rules;
  const domain = readDomain(fields["domain"]);
  const settings = readSettings(fields);
  const password = readPasswordSource(fields, rules);
  const unknown = findUnknownFields(Object.keys(fields), rules, maxProblems).map(({ problem }) => problem);
  if ("value" in domain && "value" in settings && "value" in password && unknown.length === 0) {
    const source = password.value === undefined ? {} : { password: password.value };
    return { entry: { place, domain: domain.value, settings: settings.value, ...source } };
  }
  return { problems: [...[domain, settings, password].flatMap(faultsOf), ...unknown].slice(0, maxProblems) };
}

function readDomain(value: unknown): Reading<string> {
  if (!isStated(value)) return { faults: ['domain is required; send a host name such as "example.com"'] };
  if (typeof value !== "string") return { faults: [`domain is ${showValue(value)}; send a string`] };
  const parsed = parseDomain(value);
  return parsed.ok ? { value: parsed.value } : { faults: [`domain ${parsed.reason}`] };
}

/** The fields that state where a password comes from. */
const passwordFields = ["password_env", "password_file", "password"] as const;

/** What a kind of file allows in an entry, and what is said of one that is wrong. */
export interface EntryRules {
  /** Whether an entry may contain the password itself. A file that is kept in git must not. Default: false. */
  readonly allowsPassword?: boolean;
  /** How many problems of an entry are described: a file can have 100,000 entries. Default: 10. */
  readonly maxProblems?: number | undefined;
}

/**
 * Reads the source of an entry's password. No fault repeats a value, which may be a password.
 *
 * @returns the source, undefined if the entry states none, or what is wrong with the fields that it names
 */
function readPasswordSource(
  fields: Fields,
  { allowsPassword = false }: EntryRules,
): Reading<PasswordSource | undefined> {
  const [field, other] = passwordFields.filter((name) => isStated(fields[name]));
  if (field === undefined) return { value: undefined };
  if (other !== undefined) return { faults: [`${field} and ${other} cannot be combined; send one of them`] };
  const value = fields[field];
  if (typeof value !== "string") return { faults: [`${field} is not a string`] };
  if (field === "password_file") return { value: { file: value } };
  if (field === "password_env")
    return passwordVariable.test(value) ? { value: { env: value } } : { faults: [`password_env ${notAVariable}`] };
  const fault = allowsPassword ? findPasswordTextFault(value) : notInThisFile;
  return fault === undefined ? { value: { value } } : { faults: [`password ${fault}`] };
}

const notInThisFile = "is not allowed in this file; send password_env or password_file instead";

/**
 * The name of a variable that is not one of our settings, such as the API key: a file must not send it as the password
 * of a website. Windows ignores the case of names.
 */
const passwordVariable = /^(?!SITEWARD_(?!PASSWORD_))[A-Z_][A-Z0-9_]*$/i;
const notAVariable =
  "is not the name of an environment variable for passwords; " +
  "send a name such as SHOP_PASSWORD, or one that begins with SITEWARD_PASSWORD_, as in an export";

/** The fields that a file can state. */
export const statedFields: readonly string[] = ["domain", ...settingNames, ...passwordFields];

const knownFields: ReadonlySet<string> = new Set([...statedFields, ...readOnlyFields]);

/**
 * Returns those of these fields that no entry has, whether each could be a field that is not stated otherwise, written
 * wrongly, and what to send instead: `"exclude_ip" is unknown; did you mean exclude_ips?`
 *
 * @param max how many are returned: finding the one that was meant takes microseconds for each
 */
export function findUnknownFields(fields: readonly string[], { allowsPassword = false }: EntryRules, max: number) {
  const allowed = statedFields.filter((field) => allowsPassword || field !== "password");
  const unknown = fields.filter((field) => !knownFields.has(field)).slice(0, max);
  return unknown.map((field) => {
    const [name, nearest] = [showValue(field), closestName(field, allowed)];
    const meant = fields.includes(nearest ?? "") ? undefined : nearest;
    const advice = meant === undefined ? `send only ${allowed.join(", ")}` : `did you mean ${meant}?`;
    return { name, meant, problem: `${name} is unknown; ${advice}` };
  });
}

/** Returns the name that a misspelt one could be, unless more than half of a short one changes. */
function closestName(name: string, known: readonly string[]): string | undefined {
  const maxDistance = Math.min(4, Math.floor(name.length / 2));
  // Comparing takes time that grows with the length.
  return name.length > 40 ? undefined : closestMatch(name, [...known], { maxDistance });
}
