import { type WebsiteSettings, websiteDefaults } from "@siteward/contract/plain";
import type { Column } from "../output/view.ts";

/** The name of a setting of a website. */
export type SettingName = keyof WebsiteSettings;

/** The names of the values of a setting that is on or off. */
export const switchLevels = { 0: "off", 1: "on" } as const;

/** The names of the levels of privacy. */
export const privacyLevels = { 0: "public", 1: "private", 2: "password" } as const;

/** What the CLI knows of a setting. Its kind says which values it has. */
type Row = {
  /** Its column in tables. How a value is shown there follows from the kind. */
  readonly column: Pick<Column, "title" | "inList">;
  /** What it is, in the help of its flags. What a flag accepts follows from the kind. */
  readonly help: string;
} & (
  | { readonly kind: "switch" }
  | { readonly kind: "level"; readonly levels: Levels }
  /** What its entries are, as the help names the value of its flags. */
  | { readonly kind: "list"; readonly entries: string }
);

/**
 * One row for each setting of the contract, in display order. Everything else follows from it: columns, flags,
 * completion, what files contain, exports, their JSON Schema, the help. It is plain data, since every command that
 * shows a website loads it.
 */
const rows = {
  privacy: {
    kind: "level",
    levels: privacyLevels,
    column: { title: "Privacy", inList: true },
    help: "who can see the statistics",
  },
  email: { kind: "switch", column: { title: "E-mail", inList: true }, help: "e-mail reports" },
  exclude_bots: {
    kind: "switch",
    column: { title: "Bots excluded", inList: true },
    help: "exclude bots from the statistics",
  },
  exclude_params: {
    kind: "list",
    entries: "names",
    column: { title: "Parameters excluded", inList: false },
    help: "URL parameters to exclude",
  },
  exclude_ips: {
    kind: "list",
    entries: "addresses",
    column: { title: "IPs excluded", inList: false },
    help: "IP addresses to exclude",
  },
} as const satisfies Record<SettingName, Row>;

/** A setting with its row. Its kind says which settings it can be. */
export type Setting = { [Name in keyof typeof rows]: { readonly name: Name } & (typeof rows)[Name] }[keyof typeof rows];

/** A setting that is a list. */
export type ListSetting = Extract<Setting, { readonly kind: "list" }>;

/** The name of a setting that is a list. */
export type ListName = ListSetting["name"];

/** The settings of a website, in display order. */
// Each name has its own row.
export const settings = Object.entries(rows).map(([name, row]) => ({ name, ...row })) as readonly Setting[];

/** The names of the settings of a website, in display order. */
export const settingNames: readonly SettingName[] = settings.map(({ name }) => name);

/** The lists among the settings of a website. */
export const listSettings: readonly ListSetting[] = settings.filter((setting) => setting.kind === "list");

/** Returns what the function returns for each setting, under its name. */
export function bySetting<Result>(resultOf: (setting: Setting) => Result): Readonly<Record<SettingName, Result>> {
  // There is one result for each name.
  return Object.fromEntries(settings.map((setting) => [setting.name, resultOf(setting)])) as Record<
    SettingName,
    Result
  >;
}

/** Whether this setting is a list. */
export function isListName(name: SettingName): name is ListName {
  return listSettings.some((setting) => setting.name === name);
}

/** The names of the values of a setting. */
export type Levels = Readonly<Record<number, string>>;

/** Returns the value with this name or number; undefined if there is none. */
export function findLevel(levels: Levels, word: string): number | undefined {
  const found = Object.entries(levels).find(([level, name]) => word === name || word === level);
  return found === undefined ? undefined : Number(found[0]);
}

/** Returns the name of a value; undefined if it is none of the levels. */
export function levelName(levels: Levels, value: unknown): string | undefined {
  return Object.entries(levels).find(([level]) => level === String(value))?.[1];
}

/** Joins choices for a sentence: "public, private or password". */
export function joinChoices(choices: readonly string[]): string {
  return choices.join(", ").replace(/, (?=[^,]*$)/, " or ");
}

/** Returns every setting: one that is not stated is as the service sets it in a new website. */
export function completeSettings(stated: Partial<WebsiteSettings>): WebsiteSettings {
  // Each value is that of the setting with this name.
  return bySetting(({ name }) => stated[name] ?? websiteDefaults[name]) as WebsiteSettings;
}

/** Returns a setting as people write it in a file: the name of a level, true or false, or a list. */
export function readableSetting<Name extends SettingName>(
  name: Name,
  value: WebsiteSettings[Name],
): string | boolean | readonly string[] {
  const row: Row = rows[name];
  if (row.kind === "switch") return value === 1;
  if (row.kind === "level") return levelName(row.levels, value) ?? String(value);
  // By its kind, the setting has a list.
  return value as readonly string[];
}
