import { entryGrammars, type Parsed, parseEntryList } from "@siteward/contract/plain";
import { nameSome } from "../../output/lists.ts";
import { countSeparators, showValue } from "../../websites/reading.ts";
import { type ListName, listSettings } from "../../websites/settings.ts";
import { closestName, type WebsiteEntry } from "../entry.ts";
import { type FileProblem, maxProblems, problemAt } from "./file-problem.ts";
import { entryOf, entryText, listName, mark, nameOf, nameText, splitItems } from "./list-parts.ts";

/** How deep lists can be in lists. Each level is a call of a function. */
const maxDepth = 32;

/** The most entries of all lists together, and of the settings that name some. They are counted before they are split. */
const maxParts = 50_000;

/** The most entries that settings repeat: 2,000 websites with 500 each. Those with the same text share them. */
const maxRepeated = 1_000_000;

/** A file can have thousands of lists and of unknown names, and a comparison takes a microsecond. */
const maxCompared = 100;

/** The setting that a list is for: the first that uses it. The field is undefined if none does. */
interface Use {
  readonly field: ListName | undefined;
  readonly line: number;
}

/** Entries in canonical form, and how deep lists are nested in them; or what is wrong, apart from lists, which have their own problems. */
type Expansion =
  | { readonly entries: readonly string[]; readonly depth: number }
  | { readonly faults: readonly string[] };

interface List {
  readonly line: number;
  /** The entries and names of lists, as they are written. */
  readonly parts: readonly string[];
  use?: Use;
  expansion?: Expansion;
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
  /** Undefined if there is nothing wrong. Empty if it is wrong with a list, which has its own problem. */
  readonly problems?: readonly FileProblem[];
}

/** The lists of a file, which settings name. */
export class SharedLists {
  /** What is wrong with the lists. Their entries are checked when a setting uses their list. */
  readonly problems: FileProblem[] = [];
  readonly #lists = new Map<string, List>();
  /** The entries of each setting that names lists, by its text. */
  readonly #settings = new Map<string, Expansion>();
  #repeated = 0;

  constructor({ fields, lineOf }: Mapping) {
    let count = 0;
    for (const [name, value] of Object.entries(fields)) {
      const items = value === "" ? undefined : itemsOf(value);
      count += countParts(items ?? []);
      const fault = count > maxParts ? tooManyParts : faultOfList(name, value, items);
      const list: List = { line: lineOf(name), parts: fault === undefined ? splitItems(items ?? []) : [] };
      this.#lists.set(name, list);
      if (fault !== undefined) list.expansion = this.#refuse(list, fault);
    }
  }

  /** The names of the lists, each with its entries and names of lists as they are written. */
  get parts(): ReadonlyMap<string, readonly string[]> {
    return new Map([...this.#lists].map(([name, { parts }]) => [name, parts]));
  }

  /** The names of the lists that no setting uses, and no list that is used. */
  get unused(): readonly string[] {
    return [...this.#lists].flatMap(([name, { use }]) => (use?.field === undefined ? [name] : []));
  }

  /** Returns the entries of a list in canonical form; none if it is wrong. */
  entriesOf(name: string): readonly string[] {
    const { expansion } = this.#lists.get(name) ?? {};
    return expansion !== undefined && "entries" in expansion ? expansion.entries : [];
  }

  /** Replaces the names of lists in the settings of a website, or of the defaults, by the entries of the lists. */
  expand(mapping: Mapping): ExpandedFields {
    const names: Partial<Record<ListName, readonly string[]>> = {};
    const faults: (readonly FileProblem[])[] = [];
    // In the order of the file, so that the first use of a list decides which setting it is for.
    const naming = listSettings.flatMap(({ name: field }) => {
      const items = itemsOf(mapping.fields[field]) ?? [];
      return items.some((item) => item.includes(mark)) ? [{ field, items, line: mapping.lineOf(field) }] : [];
    });
    // A copy of a mapping with a million fields would take 100 MB.
    if (naming.length === 0) return { fields: mapping.fields, names };
    const fields: Record<string, unknown> = { ...mapping.fields };
    for (const { field, items, line } of naming.toSorted((one, other) => one.line - other.line)) {
      const expansion = this.#expandSetting(items, { field, line });
      // Without them, the website is read for its other problems.
      fields[field] = "entries" in expansion ? expansion.entries : undefined;
      if ("faults" in expansion) faults.push(expansion.faults.map((fault) => problemAt(line, `${field} ${fault}`)));
      const named = new Set(splitItems(items).flatMap((part) => nameOf(part) ?? []));
      if (named.size > 0) names[field] = [...named];
    }
    return { fields, names, ...(faults.length > 0 ? { problems: faults.flat() } : {}) };
  }

  /** Checks the lists that no setting uses: what their entries must be is not known. */
  checkUnused(): void {
    for (const name of this.unused) this.#expandList(name, { field: undefined, line: 0 }, []);
  }

  #expandSetting(items: readonly string[], use: Use): Expansion {
    if (countParts(items) > maxParts) return { faults: [tooManyParts] };
    const key = `${use.field}: ${items.join(",")}`;
    let expansion = this.#settings.get(key);
    if (expansion !== undefined) return expansion;
    expansion = this.#expand(splitItems(items), use, []);
    if ("entries" in expansion) this.#repeated += expansion.entries.length;
    if (this.#repeated > maxRepeated) expansion = { faults: [tooManyRepeated] };
    this.#settings.set(key, expansion);
    return expansion;
  }

  /** @param path the lists that contain these parts, the outermost first */
  #expand(parts: readonly string[], use: Use, path: readonly string[]): Expansion {
    const parsed = parseParts(parts, use.field);
    if (parsed.faults.length > 0) return { faults: parsed.faults };
    const entries = new Set<string>();
    let depth = 0;
    for (const part of parsed.entries) {
      const name = nameOf(part);
      const expansion = name === undefined ? { entries: [entryOf(part)], depth: 0 } : this.#expandList(name, use, path);
      if ("faults" in expansion) return expansion;
      for (const entry of expansion.entries) entries.add(entry);
      depth = Math.max(depth, expansion.depth);
    }
    return { entries: [...entries], depth };
  }

  #expandList(name: string, use: Use, path: readonly string[]): Expansion {
    const list = this.#lists.get(name);
    if (list === undefined) return { faults: [`contains ${this.#unknown(name, use)}`] };
    list.use ??= use;
    const { field, line } = list.use;
    if (use.field !== undefined && field !== use.field)
      return { faults: [`contains "@${name}", which ${field} uses in line ${line}; add a list for each of them`] };
    if (list.expansion !== undefined && "faults" in list.expansion) return list.expansion;
    if (path.includes(name)) return this.#refuse(list, inItself([...path.slice(path.indexOf(name)), name]));
    if (path.length + (list.expansion?.depth ?? 1) > maxDepth)
      return this.#refuse(list, `list ${name} is nested more than ${maxDepth} deep in other lists; ${inOne}`);
    list.expansion ??= this.#read(name, list, path);
    return list.expansion;
  }

  #read(name: string, list: List, path: readonly string[]): Expansion {
    const field = list.use?.field;
    const expansion = this.#expand(list.parts, { field, line: list.line }, [...path, name]);
    const subject = field === undefined ? `list ${name}` : `list ${name} (for ${field})`;
    if ("faults" in expansion)
      return this.#refuse(
        list,
        ...expansion.faults.map((fault) => subject + (fault.startsWith("entry") ? ": " : " ") + fault),
      );
    const { entries, depth } = expansion;
    const max = field === undefined ? maxParts : entryGrammars[field].maxEntries;
    if (entries.length <= max) return { entries, depth: depth + 1 };
    const withLists = depth > 0 ? " with those of the lists in it" : "";
    return this.#refuse(list, `list ${name} has ${entries.length} different entries${withLists}; write at most ${max}`);
  }

  #refuse({ line }: List, ...problems: readonly string[]): Expansion {
    if (this.problems.length <= maxProblems) this.problems.push(...problems.map((problem) => problemAt(line, problem)));
    return { faults: [] };
  }

  /** Says of a list that it does not exist, and which do. */
  #unknown(name: string, { field }: Use): string {
    const names = [...this.#lists.keys()];
    const shown = showValue(nameText(name));
    if (names.length === 0) return `${shown}, but the file has no lists; add "lists:" with it at the top`;
    const closest = closestName(name, names.slice(0, maxCompared));
    const advice =
      closest === undefined ? `its lists are ${nameSome(names, 10)}` : `did you mean ${nameText(closest)}?`;
    const asEntry = field === "exclude_params" ? `; write "@@${name.slice(0, 60)}" for a parameter` : "";
    return `${shown}, which is not a list of the file; ${advice}${asEntry}`;
  }
}

/** Returns the items of a list, each with entries or names; undefined if the value is neither an array of strings nor a string. */
function itemsOf(value: unknown): readonly string[] | undefined {
  if (typeof value === "string") return [value];
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
}

/** Counts the parts of items before they are split: an item of 8 MB can have 4 million. */
function countParts(items: readonly string[]): number {
  return items.reduce((count, item) => count + countSeparators(item), items.length);
}

/** Parses entries and names, as a file writes both. Without a field, nobody can tell what an entry must be. */
function parseParts(parts: readonly string[], field: ListName | undefined): ReturnType<typeof parseEntryList> {
  const parseEntry = (part: string): Parsed<string> => {
    if (field === undefined || nameOf(part) !== undefined) return { ok: true, value: part };
    const parsed = entryGrammars[field].parseEntry(entryOf(part));
    return parsed.ok ? { ok: true, value: entryText(parsed.value) } : parsed;
  };
  return parseEntryList(parts, { parseEntry, maxEntries: Number.POSITIVE_INFINITY });
}

const tooManyParts = `is past the limit of ${maxParts.toLocaleString("en-US")} entries of lists; split the file`;
const tooManyRepeated =
  `names lists next to other entries, past the limit of ${maxRepeated.toLocaleString("en-US")} entries; ` +
  "state what most websites share in defaults, or split the file";
const inOne = "write its entries in one of them";
const nameForm = "use up to 64 letters, digits, dots, underscores and hyphens, and begin with a letter or digit";

function faultOfList(name: string, value: unknown, items: readonly string[] | undefined): string | undefined {
  if (!listName.test(name)) return `list ${showValue(name)} has a name that is not valid; ${nameForm}`;
  if (value === "") return `list ${name} has no entries; write [] if it is empty`;
  if (items !== undefined) return undefined;
  return `list ${name} is not a list of entries; write them as in "${name}: [203.0.113.0/24, 2001:db8::/32]"`;
}

function inItself(path: readonly string[]): string {
  const [name = ""] = path;
  if (path.length === 2) return `list ${name} contains itself; remove "${nameText(name)}" from it`;
  return `list ${name} contains itself (${path.map(nameText).join(" → ")}); remove one of these`;
}
