import { type EntryGrammar, entryGrammars, parseEntryList, type WebsiteSettings } from "@siteward/contract/plain";
import { countSeparators, faultsOf, isStated, type Reading, showValue, splitEntries } from "./field-reading.ts";
import { findLevel, joinChoices, type Levels, type Setting, settings, switchLevels } from "./settings.ts";

/** Reads the settings that an entry, or the defaults of a file, state. Other fields are ignored. */
export function readSettings(fields: Readonly<Record<string, unknown>>): Reading<Partial<WebsiteSettings>> {
  const readings = settings
    .filter(({ name }) => isStated(fields[name]))
    .map((setting) => [setting.name, readSetting(setting, fields[setting.name])] as const);
  const faults = readings.flatMap(([name, reading]) => faultsOf(reading).map((fault) => `${name} ${fault}`));
  if (faults.length > 0) return { faults };
  const values = readings.flatMap(([name, reading]) => ("value" in reading ? [[name, reading.value]] : []));
  // By the kind of its setting, each value is one of its field.
  return { value: Object.fromEntries(values) as Partial<WebsiteSettings> };
}

function readSetting(setting: Setting, value: unknown): Reading<number | string[]> {
  switch (setting.kind) {
    case "switch":
      return readSwitch(value);
    case "level":
      return readLevel(value, setting.levels);
    case "list":
      return readList(value, entryGrammars[setting.name]);
  }
}

function readLevel(value: unknown, levels: Levels): Reading<number> {
  const level = findLevel(levels, asWord(value));
  if (level !== undefined) return { value: level };
  const names = joinChoices(Object.values(levels));
  return { faults: [`is ${showValue(value)}; send ${names} (${joinChoices(Object.keys(levels))})`] };
}

function readSwitch(value: unknown): Reading<number> {
  const word = asWord(value);
  const state = findLevel(switchLevels, word === "true" ? "on" : word === "false" ? "off" : word);
  return state === undefined ? { faults: [`is ${showValue(value)}; send true or false, or 1 or 0`] } : { value: state };
}

/** Files state these values as strings, numbers or booleans. Nothing else is a value. */
function asWord(value: unknown): string {
  return typeof value === "object" ? "" : String(value).trim().toLowerCase();
}

/** A shorter list takes less time to parse again than to keep. */
const minKeptLength = 10;

/**
 * What was read of an array, and by which grammar. An alias in a site file repeats the array itself, so a list that all
 * websites share is parsed once: 2,000 websites with 500 networks each took 4 s.
 */
const readings = new WeakMap<
  readonly unknown[],
  { readonly grammar: EntryGrammar; readonly list: Reading<string[]> }
>();

function readList(value: unknown, grammar: EntryGrammar): Reading<string[]> {
  if (!Array.isArray(value) || value.length < minKeptLength) return parseList(value, grammar);
  const known = readings.get(value);
  if (known?.grammar === grammar) return known.list;
  const list = parseList(value, grammar);
  readings.set(value, { grammar, list });
  return list;
}

/** The most entries of a string that are split: one of 32 MB can have millions. */
const maxSeparators = 10_000;

function parseList(value: unknown, grammar: EntryGrammar): Reading<string[]> {
  if (typeof value === "string" && countSeparators(value) > maxSeparators)
    return {
      faults: [`has more than ${maxSeparators.toLocaleString("en-US")} entries; send at most ${grammar.maxEntries}`],
    };
  // A cell can contain line breaks. So the entries of an array are counted.
  const texts: unknown = typeof value === "string" ? splitEntries(value) : value;
  if (!Array.isArray(texts)) return { faults: [`is ${showValue(value)}; send ${listForm}`] };
  const other = texts.findIndex((text) => typeof text !== "string");
  if (other !== -1)
    return { faults: [`entry ${other + 1}: ${showValue(texts[other])} is not a string; send ${listForm}`] };
  const { entries, faults } = parseEntryList(texts, grammar);
  return faults.length === 0 ? { value: entries } : { faults };
}

const listForm = "an array of strings, or a string with entries separated by commas";
