import { readOnlyFields } from "@siteward/contract/website-settings";
import { closestMatch } from "leven";
import { showValue } from "../settings/reading.ts";
import { settingNames } from "../settings/settings.ts";
import { type EntryRules, passwordFields } from "./password-source.ts";

const statedFields: readonly string[] = ["domain", ...settingNames, ...passwordFields];

/** Describes each of these fields that no entry has: `"exclude_ip" is unknown; did you mean exclude_ips?` */
export function findUnknownFields(
  fields: readonly string[],
  { allowsPassword = false }: EntryRules,
): readonly string[] {
  const allowed = statedFields.filter((field) => allowsPassword || field !== "password");
  return fields
    .filter((field) => !statedFields.includes(field) && !isReadOnly(field))
    .map((field) => `${showValue(field)} is unknown; ${suggestField(field, allowed)}`);
}

function isReadOnly(field: string): boolean {
  const names: readonly string[] = readOnlyFields;
  return names.includes(field);
}

function suggestField(field: string, allowed: readonly string[]): string {
  // Comparing takes time that grows with the length. No field is longer than 14 characters.
  // A suggestion that changes more than half of a short name, such as email for "url", would be noise.
  const maxDistance = Math.min(4, Math.floor(field.length / 2));
  const nearest = field.length > 40 ? undefined : closestMatch(field, [...allowed], { maxDistance });
  return nearest === undefined ? `send only ${allowed.join(", ")}` : `did you mean ${nearest}?`;
}
