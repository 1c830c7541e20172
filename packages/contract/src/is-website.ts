import type { Website } from "./schemas/website.ts";
import { EmailReports, ExcludeBots, Privacy } from "./website-fields.ts";

const isText = (value: unknown): boolean => typeof value === "string";
const isList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isOneOf = (names: Readonly<Record<string, unknown>>, value: unknown): boolean =>
  Object.values(names).includes(value);

/** Whether a value has the type of a field. For those who cannot load the schemas: a new field does not compile without its check. */
const hasTypeOf = {
  id: (value) => Number.isSafeInteger(value),
  domain: isText,
  privacy: (value) => isOneOf(Privacy, value),
  has_password: (value) => typeof value === "boolean",
  email: (value) => isOneOf(EmailReports, value),
  exclude_bots: (value) => isOneOf(ExcludeBots, value),
  exclude_params: isList,
  exclude_ips: isList,
  created_at: isText,
  updated_at: isText,
} satisfies Record<keyof Website, (value: unknown) => boolean>;

/** Whether each field of a value has the type that it has in a website. A newer service may send further fields. */
export function isWebsite(value: unknown): value is Website {
  const fields: Readonly<Record<string, unknown>> = Object(value);
  for (const name in hasTypeOf) if (!hasTypeOf[name as keyof Website](fields[name])) return false;
  return true;
}
