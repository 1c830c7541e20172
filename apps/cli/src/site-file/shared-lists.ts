import { type EntryGrammar, entryGrammars, parseEntryList } from "@siteward/contract/website-settings";
import type { ListName } from "../settings/settings.ts";
import { type FileProblem, maxProblems } from "./file-problem.ts";
import { unknownList } from "./find-circles.ts";
import { entriesOnly, entryOf, type NamedList, nameOf, splitItems } from "./list-items.ts";
import type { NamedLists } from "./named-lists.ts";
import { problemAt } from "./problem-at.ts";
import { RepeatedValues } from "./repeated-values.ts";

/** A setting that names lists. */
export interface ListUse {
  readonly field: ListName;
  /** The line of the setting. */
  readonly line: number;
  /** Its entries and the names of lists, as the file writes them. */
  readonly parts: readonly string[];
}

/** The entries of a setting in canonical form, or what is wrong with it: nothing if a list is, which is listed there. */
type Expansion = { readonly entries: string[] } | Fault;

interface Fault {
  readonly fault: string | undefined;
  /** Whether a list does not exist. */
  readonly isUnknownList?: true;
}

/** The setting that a list is for: the first that uses it. */
interface Purpose {
  readonly field: ListName;
  readonly line: number;
}

/** Replaces the names of lists in settings by the entries of the lists. */
export class SharedLists {
  readonly #lists: NamedLists;
  readonly #names: readonly string[];
  readonly #purposes = new Map<string, Purpose>();
  /** The entries of each list that is used; undefined if it has a problem. */
  readonly #entries = new Map<string, string[] | undefined>();
  /** The entries of each setting that names lists, by its text: websites with the same text share them. */
  readonly #expansions = new Map<string, Expansion>();
  readonly #repeated = new RepeatedValues("names lists next to other entries, past");
  readonly #problems: FileProblem[];

  constructor(lists: NamedLists) {
    this.#lists = lists;
    this.#names = [...lists.byName.keys()];
    this.#problems = [...lists.problems];
  }

  /** What is wrong with the lists themselves. Entries are checked when a setting uses their list. */
  get problems(): readonly FileProblem[] {
    return this.#problems;
  }

  /** The lists of the file, with their lines. */
  get byName(): ReadonlyMap<string, NamedList> {
    return this.#lists.byName;
  }

  /** The entries of a list, in canonical form; undefined if no setting uses it, or if it has a problem. */
  entriesOf(name: string): readonly string[] | undefined {
    return this.#entries.get(name);
  }

  /** Whether the entries of a list cannot be known, whatever uses it. */
  isFaulty(name: string): boolean {
    return this.#lists.faulty.has(name);
  }

  /** The names of the lists that no setting uses, and no list that is used. */
  get unused(): readonly string[] {
    return this.#names.filter((name) => !this.#purposes.has(name));
  }

  /** @throws ReadingStopped if the settings of the file repeat too many entries */
  expand({ field, line, parts }: ListUse): Expansion {
    const key = `${field}: ${parts.join(",")}`;
    const known = this.#expansions.get(key);
    if (known !== undefined) return known;
    const grammar = entryGrammars[field];
    const expansion = this.#expand(parts, { field, line });
    const result = withinLimit(expansion, parts, grammar);
    this.#expansions.set(key, result);
    return result;
  }

  #expand(parts: readonly string[], purpose: Purpose): Expansion {
    const entries = new Set<string>();
    for (const part of parts) {
      const name = nameOf(part);
      const found = name === undefined ? parseEntry(part, purpose.field) : this.#entriesOf(name, purpose);
      if ("fault" in found) return found;
      if (name !== undefined) this.#repeated.add(found.entries.length, purpose.line);
      for (const entry of found.entries) entries.add(entry);
    }
    return { entries: [...entries] };
  }

  #entriesOf(name: string, purpose: Purpose): Expansion {
    const list = this.#lists.byName.get(name);
    if (list === undefined) return { fault: this.#unknown(name, purpose), isUnknownList: true };
    const { field, line } = this.#purposes.get(name) ?? purpose;
    if (field !== purpose.field) {
      return { fault: `contains "@${name}", which ${field} uses in line ${line}; add a list for each of them` };
    }
    this.#purposes.set(name, { field, line });
    if (!this.#entries.has(name)) this.#entries.set(name, this.#readEntries(name, list, purpose));
    const entries = this.#entries.get(name);
    return entries === undefined ? { fault: undefined } : { entries };
  }

  /** Checks a list when it is used first. A list in it is not one that contains it: such lists are faulty. */
  #readEntries(name: string, list: NamedList, { field }: Purpose): string[] | undefined {
    if (this.#lists.faulty.has(name)) return undefined;
    const grammar = entryGrammars[field];
    // Counted below, in canonical form and with the entries of other lists.
    const own = parseEntryList(entriesOnly(list.items), { ...grammar, maxEntries: Number.POSITIVE_INFINITY });
    for (const fault of own.faults) this.#add(list, `list ${name} (for ${field}): ${fault}`);
    if (own.faults.length > 0) return undefined;
    const parts = [...new Set(splitItems(list.items))];
    const expansion = this.#expand(parts, { field, line: list.line });
    if ("fault" in expansion) {
      if (expansion.fault !== undefined) this.#add(list, `list ${name} (for ${field}) ${expansion.fault}`);
      return undefined;
    }
    const { length } = expansion.entries;
    if (length <= grammar.maxEntries) return expansion.entries;
    this.#add(list, `list ${name} ${tooMany(length, parts, grammar)}`);
    return undefined;
  }

  #unknown(name: string, { field }: Purpose): string {
    const problem = `contains ${unknownList(name, this.#names)}`;
    return field === "exclude_params" ? `${problem}; write "@@${name.slice(0, 60)}" for a parameter` : problem;
  }

  #add({ line }: NamedList, problem: string): void {
    if (this.#problems.length <= maxProblems) this.#problems.push(problemAt(line, problem));
  }
}

function parseEntry(part: string, field: ListName): Expansion {
  const parsed = entryGrammars[field].parseEntry(entryOf(part));
  // It was checked with the other entries of its list.
  return parsed.ok ? { entries: [parsed.value] } : { fault: undefined };
}

/** As without lists, what is written is counted too, so that editors count as the service does. */
function withinLimit(expansion: Expansion, parts: readonly string[], grammar: EntryGrammar): Expansion {
  if ("fault" in expansion) return expansion;
  const count = Math.max(new Set(parts).size, expansion.entries.length);
  return count <= grammar.maxEntries ? expansion : { fault: tooMany(count, parts, grammar) };
}

function tooMany(count: number, parts: readonly string[], { maxEntries }: EntryGrammar): string {
  const withLists = parts.some((part) => nameOf(part) !== undefined) ? " with those of the lists in it" : "";
  return `has ${count} different entries${withLists}; write at most ${maxEntries}`;
}
