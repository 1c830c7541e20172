import { entryGrammars, type Parsed, parseEntryList } from "@siteward/contract/plain";
import { nameSome } from "../../output/lists.ts";
import { showValue } from "../../websites/field-reading.ts";
import { type ListName, listSettings } from "../../websites/settings.ts";
import type { WebsiteEntry } from "../entry.ts";
import { type FileProblem, problemAt } from "./file-problem.ts";
import { countParts, entryOf, entryText, itemsOf, listName, mark, nameOf, nameText, splitItems } from "./list-parts.ts";

/** How deep lists can be in lists. Each level is a call of a function. */
const maxDepth = 32;

/** The most entries of all lists together, and of the settings that name some. */
const maxParts = 50_000;

/** The most entries that settings repeat: 2,000 websites with 500 each. */
const maxRepeated = 1_000_000;

/** The most lists that a message names. */
const maxNamed = 10;

/** The setting that a list is for: the first that uses it. */
interface Use {
  readonly field: ListName;
  readonly line: number;
}

interface List {
  readonly line: number;
  /** The entries and names of lists, as they are written. */
  readonly parts: readonly string[];
  use?: Use;
  /** In canonical form, once a setting uses the list. */
  entries?: readonly string[];
}

/** A mapping of a file, with the line of each of its fields. */
export interface Mapping {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly lineOf: (field: string) => number;
}

/** The fields of a website with the entries of its lists. */
interface ExpandedFields {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The lists that each setting names. */
  readonly names: NonNullable<WebsiteEntry["lists"]>;
  /** Apart from those of the lists. */
  readonly problems: readonly FileProblem[];
}

/** The entries of a setting, and what is wrong with it. */
interface Expansion {
  readonly entries: readonly string[];
  readonly faults: readonly string[];
}

type Report = (fault: string) => unknown;

/** The lists of a file, which settings name. */
export class SharedLists {
  /** What is wrong with the lists. Their entries are checked when a setting uses their list. */
  readonly problems: FileProblem[] = [];
  readonly #lists = new Map<string, List>();
  /** The entries of each setting that names lists, by its text. */
  readonly #settings = new Map<string, Expansion>();
  /** Which lists there are, for the message about each name that is not one of them. */
  readonly #known: string;
  #repeated = 0;

  constructor({ fields, lineOf }: Mapping) {
    let count = 0;
    for (const [name, value] of Object.entries(fields)) {
      const line = lineOf(name);
      const items = value === "" ? undefined : itemsOf(value);
      count += countParts(items ?? []);
      const fault = count > maxParts ? tooManyParts : faultOfList(name, items);
      if (fault !== undefined) this.problems.push(problemAt(line, fault));
      this.#lists.set(name, { line, parts: fault === undefined ? splitItems(items ?? []) : [] });
    }
    const names = Object.keys(fields).filter((name) => listName.test(name));
    this.#known = names.length === 0 ? "it has none" : `its lists are ${nameSome(names, maxNamed)}`;
  }

  /** The entries and names of lists of each list, as they are written. */
  get texts(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries([...this.#lists].map(([name, { parts }]) => [name, parts]));
  }

  /** The names of the lists that nothing uses. What is in them is not checked. */
  get unused(): readonly string[] {
    return [...this.#lists].flatMap(([name, { use }]) => (use === undefined ? [name] : []));
  }

  /** Returns the entries of a list that is used, in canonical form. */
  entriesOf(name: string): readonly string[] {
    return this.#lists.get(name)?.entries ?? [];
  }

  /** Replaces the names of lists in settings by the entries of the lists. */
  expand({ fields, lineOf }: Mapping): ExpandedFields {
    const names: Partial<Record<ListName, readonly string[]>> = {};
    const problems: FileProblem[] = [];
    const expanded: Record<string, unknown> = {};
    for (const { name: field } of listSettings) {
      const items = itemsOf(fields[field]) ?? [];
      if (!items.some((item) => item.includes(mark))) continue;
      const line = lineOf(field);
      const { entries, faults } = this.#expandSetting(items, { field, line });
      // Without them, the website is read for its other problems.
      expanded[field] = faults.length > 0 ? undefined : entries;
      problems.push(...faults.map((fault) => problemAt(line, `${field} ${fault}`)));
      const named = new Set(splitItems(items).flatMap((part) => nameOf(part) ?? []));
      if (named.size > 0) names[field] = [...named];
    }
    // A copy of a mapping with a million fields would take 100 MB.
    return { fields: Object.keys(expanded).length === 0 ? fields : { ...fields, ...expanded }, names, problems };
  }

  #expandSetting(items: readonly string[], use: Use): Expansion {
    if (countParts(items) > maxParts) return { entries: [], faults: [tooManyParts] };
    const key = `${use.field}: ${items.join(",")}`;
    let expansion = this.#settings.get(key);
    if (expansion !== undefined) return expansion;
    const faults: string[] = [];
    const entries = this.#expand(splitItems(items), use, (fault) => faults.push(fault));
    this.#repeated += entries.length;
    expansion = this.#repeated > maxRepeated ? { entries: [], faults: [tooManyRepeated] } : { entries, faults };
    this.#settings.set(key, expansion);
    return expansion;
  }

  /** @param path the lists that contain these parts, the outermost first */
  #expand(parts: readonly string[], use: Use, report: Report, path: readonly string[] = []): readonly string[] {
    const parsed = parseParts(parts, use.field);
    for (const fault of parsed.faults) report(fault);
    const entries = new Set<string>();
    for (const part of parsed.entries) {
      const name = nameOf(part);
      const own = name === undefined ? [entryOf(part)] : this.#expandList(name, use, report, path);
      if (own === undefined) return [];
      for (const entry of own) entries.add(entry);
    }
    const { maxEntries } = entryGrammars[use.field];
    if (entries.size <= maxEntries) return [...entries];
    report(`has ${entries.size} different entries with those of its lists; write at most ${maxEntries}`);
    return [];
  }

  /** Returns undefined if the list is not one that can be here. */
  #expandList(name: string, use: Use, report: Report, path: readonly string[]): readonly string[] | undefined {
    const list = this.#lists.get(name);
    if (list === undefined) return void report(notAList(name, this.#known));
    list.use ??= use;
    const { field, line } = list.use;
    if (field !== use.field)
      return void report(`contains "@${name}", which ${field} uses in line ${line}; add a list for each of them`);
    const ofList: Report = (fault) => {
      const colon = fault.startsWith("entry ") ? ":" : "";
      this.problems.push(problemAt(list.line, `list ${name} (for ${field})${colon} ${fault}`));
    };
    if (path.includes(name)) return void ofList(inItself([...path.slice(path.indexOf(name)), name]));
    if (path.length === maxDepth) return void ofList(nestedTooDeep);
    list.entries ??= this.#expand(list.parts, { field, line: list.line }, ofList, [...path, name]);
    return list.entries;
  }
}

/** Parses entries and names, as a file writes both. */
function parseParts(parts: readonly string[], field: ListName): ReturnType<typeof parseEntryList> {
  const parseEntry = (part: string): Parsed<string> => {
    if (nameOf(part) !== undefined) return { ok: true, value: part };
    const parsed = entryGrammars[field].parseEntry(entryOf(part));
    return parsed.ok ? { ok: true, value: entryText(parsed.value) } : parsed;
  };
  return parseEntryList(parts, { parseEntry, maxEntries: Number.POSITIVE_INFINITY });
}

const tooManyParts = `is past the limit of ${maxParts.toLocaleString("en-US")} entries of lists; split the file`;
const tooManyRepeated =
  `names lists next to other entries, past the limit of ${maxRepeated.toLocaleString("en-US")} entries; ` +
  "state what most websites share in defaults, or split the file";
const nestedTooDeep = `is nested more than ${maxDepth} deep in other lists; write its entries in one of them`;
const nameForm = "use up to 64 letters, digits, dots, underscores and hyphens, and begin with a letter or digit";

function faultOfList(name: string, items: readonly string[] | undefined): string | undefined {
  if (!listName.test(name)) return `list ${showValue(name)} has a name that is not valid; ${nameForm}`;
  if (items !== undefined) return undefined;
  return `list ${name} is not a list of entries; write them as in "${name}: [203.0.113.0/24, 2001:db8::/32]", or []`;
}

function notAList(name: string, known: string): string {
  return `contains ${showValue(nameText(name))}, which is not a list of the file; ${known}, and "@@" begins an entry with "@"`;
}

function inItself(path: readonly string[]): string {
  return `contains itself (${path.map(nameText).join(" → ")}); remove one of these names`;
}
