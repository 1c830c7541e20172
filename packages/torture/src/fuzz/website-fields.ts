import type { Random } from "../random.ts";
import { choiceValue, domainValue, type FieldValue, ipsValue, paramsValue, passwordValue } from "./field-values.ts";

export type WebsiteFields = Readonly<Record<string, FieldValue>>;

/** Chooses the fields of a body: some are omitted, and sometimes an unknown one is added. */
export function chooseFields(random: Random, isCreate: boolean): WebsiteFields {
  const fields: Record<string, FieldValue> = {};
  const add = (share: number, name: string, value: () => FieldValue) => {
    if (random.chance(share)) fields[name] = value();
  };
  if (isCreate) add(0.99, "domain", () => domainValue(random));
  else add(0.01, "domain", () => ({ sent: "other.example", isRefused: true }));
  add(0.4, "privacy", () => choiceValue(random, random.chance(0.1) ? [2] : [0, 1]));
  add(0.03, "password", () => passwordValue(random));
  add(0.3, "email", () => choiceValue(random, [0, 1]));
  add(0.3, "exclude_bots", () => choiceValue(random, [0, 1]));
  add(0.3, "exclude_params", () => paramsValue(random));
  add(0.25, "exclude_ips", () => ipsValue(random));
  add(0.01, random.pick(["Domain", "id", "has_password", "constructor[prototype]", "x"]), () => unknownField);
  return fields;
}

const unknownField: FieldValue = { sent: "1", isRefused: true };

/** Reports the fields that the contract reads differently from what is known about them. */
export function judgeReading(
  fields: WebsiteFields,
  read: { readonly stored: Readonly<Record<string, unknown>> | undefined; readonly refused: readonly string[] },
): string[] {
  return Object.entries(fields).flatMap(([name, { sent, stored, isRefused = false }]) => {
    const isNamed = read.refused.includes(name);
    if (isRefused !== isNamed && (isRefused || stored !== undefined)) {
      return [`the contract should ${isRefused ? "refuse" : "accept"} ${name} = ${JSON.stringify(sent)}`];
    }
    const found = read.stored?.[name];
    const isSame = stored === undefined || found === undefined || JSON.stringify(found) === JSON.stringify(stored);
    return isSame ? [] : [`${name} should be read as ${JSON.stringify(stored)}, not ${JSON.stringify(found)}`];
  });
}

/** Returns the names of refused fields, in order. */
export function refusedFields(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly keys?: readonly string[] }[],
): string[] {
  const names = issues.flatMap(({ path, keys }) => keys ?? [path.length === 0 ? "body" : String(path[0])]);
  return [...new Set(names)].sort();
}
