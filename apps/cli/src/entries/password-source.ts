import { findPasswordLengthFault } from "@siteward/contract/website-settings";
import { isStated, type Reading } from "../settings/reading.ts";
import type { PasswordSource } from "./website-entry.ts";

/** The fields that state where a password comes from. */
export const passwordFields = ["password_env", "password_file", "password"] as const;

/** What a kind of file allows in an entry. */
export interface EntryRules {
  /** Whether an entry may contain the password itself. A file that is kept in git must not. Default: false. */
  readonly allowsPassword?: boolean;
  /** How many fields that no entry has are described. Default: 100. */
  readonly maxUnknown?: number;
}

/**
 * Reads the source of an entry's password. No fault repeats a value, since a value in the wrong field may be a password.
 *
 * @returns the source, undefined if the entry states none, or what is wrong with the fields that it names
 */
export function readPasswordSource(
  fields: Readonly<Record<string, unknown>>,
  { allowsPassword = false }: EntryRules,
): Reading<PasswordSource | undefined> {
  const [field, other] = passwordFields.filter((name) => isStated(fields[name]));
  if (field === undefined) return { value: undefined };
  if (other !== undefined) return { faults: [`${field} and ${other} cannot be combined; send one of them`] };
  if (field === "password" && !allowsPassword) {
    return { faults: ["password is not allowed in this file; send password_env or password_file instead"] };
  }
  const value = fields[field];
  if (typeof value !== "string") return { faults: [`${field} is not a string`] };
  if (field === "password") return withoutFault(field, findPasswordLengthFault(value), { value });
  if (field === "password_file") return { value: { file: value } };
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(value)) return { faults: [`${field} ${notAName}`] };
  return withoutFault(field, isOwnVariable(value) ? ownVariable : undefined, { env: value });
}

const notAName = "is not the name of an environment variable; send a name such as SHOP_PASSWORD";

/**
 * Whether a variable is one of our settings, such as the API key: a file must not send it as the password of a website.
 * Windows ignores the case of names.
 */
function isOwnVariable(name: string): boolean {
  return /^SITEWARD_(?!PASSWORD_)/i.test(name);
}

const ownVariable =
  "names a setting of siteward; send another name, such as SHOP_PASSWORD, " +
  "or one that begins with SITEWARD_PASSWORD_, as in an export";

function withoutFault(field: string, fault: string | undefined, source: PasswordSource): Reading<PasswordSource> {
  return fault === undefined ? { value: source } : { faults: [`${field} ${fault}`] };
}
