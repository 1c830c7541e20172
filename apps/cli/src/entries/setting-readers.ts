import {
  type EntryGrammar,
  excludeIps,
  excludeParams,
  Privacy,
  parseEntryList,
  type WebsiteSettings,
} from "@siteward/contract/website-settings";
import { type Reading, showValue } from "./reading.ts";

/** Reads each setting from a file. A setting without a reader does not compile. */
export const settingReaders = {
  privacy: readPrivacy,
  email: readSwitch,
  exclude_bots: readSwitch,
  exclude_params: (value) => readList(value, excludeParams),
  exclude_ips: (value) => readList(value, excludeIps),
} as const satisfies { readonly [Field in keyof WebsiteSettings]: (value: unknown) => Reading<WebsiteSettings[Field]> };

const privacyByName = new Map(
  Object.entries(Privacy).flatMap(([name, level]) => [[name.toLowerCase(), level] as const, [String(level), level]]),
);

function readPrivacy(value: unknown): Reading<Privacy> {
  const level = privacyByName.get(asWord(value));
  if (level !== undefined) return { value: level };
  return { faults: [`is ${showValue(value)}; send public, private or password (0, 1 or 2)`] };
}

const switchByName: ReadonlyMap<string, 0 | 1> = new Map([
  ["true", 1],
  ["on", 1],
  ["1", 1],
  ["false", 0],
  ["off", 0],
  ["0", 0],
]);

function readSwitch(value: unknown): Reading<0 | 1> {
  const state = switchByName.get(asWord(value));
  return state === undefined ? { faults: [`is ${showValue(value)}; send true or false`] } : { value: state };
}

/** Files state these values as strings, numbers or booleans. Nothing else is a value. */
function asWord(value: unknown): string {
  return typeof value === "object" ? "" : String(value).trim().toLowerCase();
}

function readList(value: unknown, grammar: EntryGrammar): Reading<string[]> {
  // A cell can contain line breaks. The entries of an array are counted, so that a fault never names a line of the cell.
  const texts: unknown =
    typeof value === "string" ? value.split(/[\r\n,]/).filter((text) => text.trim() !== "") : value;
  if (!Array.isArray(texts)) return { faults: [`is ${showValue(value)}; send ${listForm}`] };
  const other = texts.findIndex((text) => typeof text !== "string");
  if (other !== -1)
    return { faults: [`entry ${other + 1}: ${showValue(texts[other])} is not a string; send ${listForm}`] };
  const { entries, faults } = parseEntryList(texts, grammar);
  return faults.length === 0 ? { value: entries } : { faults };
}

const listForm = "an array of strings, or a string with entries separated by commas";
