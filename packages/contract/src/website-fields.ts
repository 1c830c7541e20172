import type { EntryGrammar } from "./grammars/entry-list.ts";
import { excludeIps } from "./grammars/exclude-ips.ts";
import { excludeParams } from "./grammars/exclude-params.ts";

/**
 * The values of `privacy` by name: who can see the statistics of a website.
 *
 * @example
 * await siteward.websites.update(7, { privacy: Privacy.Private });
 */
export const Privacy = { Public: 0, Private: 1, Password: 2 } as const;
/** Who can see the statistics of a website. */
export type Privacy = (typeof Privacy)[keyof typeof Privacy];

/**
 * The values of `email` by name: whether e-mail reports are sent.
 *
 * @example
 * await siteward.websites.update(7, { email: EmailReports.Enabled });
 */
export const EmailReports = { Disabled: 0, Enabled: 1 } as const;
/** Whether e-mail reports are sent. */
export type EmailReports = (typeof EmailReports)[keyof typeof EmailReports];

/**
 * The values of `exclude_bots` by name: whether bots are excluded from the statistics.
 *
 * @example
 * await siteward.websites.update(7, { exclude_bots: ExcludeBots.Disabled });
 */
export const ExcludeBots = { Disabled: 0, Enabled: 1 } as const;
/** Whether bots are excluded from the statistics. */
export type ExcludeBots = (typeof ExcludeBots)[keyof typeof ExcludeBots];

/** The fields of a website that no update accepts. A type test checks that they are all of them. */
export const readOnlyFields = ["id", "domain", "has_password", "created_at", "updated_at"] as const;

/** The fields of a website that contain a list. A type test checks that they are all of them. */
export const listFields = ["exclude_params", "exclude_ips"] as const;

/** The fields of a request that nothing may store or log as they were sent. */
export const secretFields: readonly string[] = ["password"];

/** What each list of a website accepts as an entry. */
export const entryGrammars: Readonly<Record<(typeof listFields)[number], EntryGrammar>> = {
  exclude_params: excludeParams,
  exclude_ips: excludeIps,
};

/** The settings of a website that was created with its domain alone (docs/interface.md, section 2). */
export const websiteDefaults = {
  privacy: Privacy.Public,
  email: EmailReports.Disabled,
  exclude_bots: ExcludeBots.Enabled,
  exclude_params: [],
  exclude_ips: [],
} as const;

const isText = (value: unknown): boolean => typeof value === "string";
const isList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isOneOf = (names: Readonly<Record<string, unknown>>, value: unknown): boolean =>
  Object.values(names).includes(value);

/** Whether a value has the type of a field, for those who cannot load the schemas. */
export const hasTypeOf = {
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
} satisfies Record<string, (value: unknown) => boolean>;

/** Whether each field of a value has the type that it has in a website. A newer service may send further fields. */
export function isWebsite(value: unknown): boolean {
  return Object.entries(hasTypeOf).every(([name, hasType]) => hasType(Object(value)[name]));
}
