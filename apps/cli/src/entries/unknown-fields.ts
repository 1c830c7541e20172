import { readOnlyFields } from "@siteward/contract/website-settings";
import { showValue } from "../settings/reading.ts";
import { settingNames } from "../settings/settings.ts";
import { closestName } from "./closest-name.ts";
import { type EntryRules, passwordFields } from "./password-source.ts";

const statedFields: readonly string[] = ["domain", ...settingNames, ...passwordFields];

const knownFields: ReadonlySet<string> = new Set([...statedFields, ...readOnlyFields]);

/** Whether an entry can have a field of this name, also one that is ignored because nobody can write it. */
export function isKnownField(field: string): boolean {
  return knownFields.has(field);
}

/** A field that no entry has. */
export interface UnknownField {
  readonly name: string;
  /** Whether it could be a field that is not stated otherwise, written wrongly. */
  readonly isMisspelt: boolean;
  /** Names the field, and the one that it could be: `"exclude_ip"; did you mean exclude_ips?` */
  readonly suggestion: string;
  /** Says what to send instead: `"exclude_ip" is unknown; did you mean exclude_ips?` */
  readonly problem: string;
}

/** How many unknown fields are described. Finding the one that was meant takes microseconds for each. */
const maxDescribed = 100;

/** Returns those of these fields that no entry has: the first hundred, or as many as the rules say, if there are more. */
export function findUnknownFields(fields: readonly string[], rules: EntryRules): readonly UnknownField[] {
  const allowed = allowedFields(rules);
  return fields
    .filter((field) => !isKnownField(field))
    .slice(0, rules.maxUnknown ?? maxDescribed)
    .map((name) => {
      const nearest = nearestField(name, allowed);
      const isMisspelt = nearest !== undefined && !fields.includes(nearest);
      const advice = isMisspelt ? `did you mean ${nearest}?` : undefined;
      return {
        name,
        isMisspelt,
        suggestion: advice === undefined ? showValue(name) : `${showValue(name)}; ${advice}`,
        problem: `${showValue(name)} is unknown; ${advice ?? `send only ${allowed.join(", ")}`}`,
      };
    });
}

/** Returns the fields that an entry can state. */
export function allowedFields({ allowsPassword = false }: EntryRules): readonly string[] {
  return statedFields.filter((field) => allowsPassword || field !== "password");
}

function nearestField(field: string, allowed: readonly string[]): string | undefined {
  // As people and spreadsheets name it: "Domain Name".
  if (/(^|_)domains?(_|$)/.test(field)) return "domain";
  return closestName(field, allowed);
}
