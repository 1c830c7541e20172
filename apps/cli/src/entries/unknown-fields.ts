import { readOnlyFields } from "@siteward/contract/website-settings";
import { closestMatch } from "leven";
import { passwordFields } from "./password-source.ts";
import { showValue } from "./reading.ts";
import { settingReaders } from "./setting-readers.ts";

const statedFields: readonly string[] = ["domain", ...Object.keys(settingReaders), ...passwordFields];

/** Describes each of these fields that no entry has: `"exclude_ip" is unknown; did you mean exclude_ips?` */
export function findUnknownFields(fields: readonly string[]): readonly string[] {
  return fields
    .filter((field) => !statedFields.includes(field) && !isReadOnly(field))
    .map((field) => `${showValue(field)} is unknown; ${suggestField(field)}`);
}

function isReadOnly(field: string): boolean {
  const names: readonly string[] = readOnlyFields;
  return names.includes(field);
}

function suggestField(field: string): string {
  // Comparing takes time that grows with the length. No field is longer than 14 characters.
  const nearest = field.length > 40 ? undefined : closestMatch(field, [...statedFields], { maxDistance: 4 });
  return nearest === undefined ? `send only ${statedFields.join(", ")}` : `did you mean ${nearest}?`;
}
