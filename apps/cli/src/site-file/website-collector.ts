import { maxWebsites } from "../entries/max-websites.ts";
import type { Place, WebsiteEntry } from "../entries/website-entry.ts";
import { tooManyItems } from "./cut-site-file.ts";
import { type FileProblem, maxProblems } from "./file-problem.ts";
import { readNamedLists } from "./named-lists.ts";
import { completeEntry, type Defaults, type Refused, readDefaults, readItem, type Stated } from "./read-item.ts";
import { ReadingStopped } from "./reading-stopped.ts";
import { RepeatedProblems } from "./repeated-problems.ts";
import { SharedLists } from "./shared-lists.ts";
import type { Head, Item } from "./split-site-file.ts";

/** What all websites of a file share, as it is read. */
interface ReadHead {
  readonly defaults: Defaults;
  readonly shared: SharedLists;
}

/** Collects the websites of a file, each with all that is wrong with it as soon as the defaults and the lists are known. */
export class WebsiteCollector {
  readonly entries: WebsiteEntry[] = [];
  readonly #isTolerant: boolean;
  readonly #problems: FileProblem[] = [];
  readonly #repeated = new RepeatedProblems();
  /** Where each domain is stated first. */
  readonly #places = new Map<string, Place>();
  /** The websites that were read before the head. */
  readonly #waiting: Stated[] = [];
  #head: ReadHead | undefined;
  #count = 0;

  /** @param isTolerant whether to continue after a thousand problems */
  constructor(isTolerant: boolean) {
    this.#isTolerant = isTolerant;
  }

  /** The lists of the file; undefined until they are known. */
  get shared(): SharedLists | undefined {
    return this.#head?.shared;
  }

  /** What is wrong with the websites. */
  get problems(): readonly FileProblem[] {
    return this.#repeated.count(this.#problems);
  }

  /** What is wrong with the defaults and the lists. */
  get headProblems(): readonly FileProblem[] {
    if (this.#head === undefined) return [];
    const { shared, defaults } = this.#head;
    return [...shared.problems, ...this.#repeated.count(defaults.problems)];
  }

  /**
   * Takes the head, unless it was known before.
   *
   * @throws ReadingStopped if the file repeats too many entries
   */
  setHead({ defaults, lists }: Head): void {
    if (this.#head !== undefined) return;
    const shared = new SharedLists(readNamedLists(lists));
    this.#head = { shared, defaults: readDefaults(defaults, shared) };
    if (!this.#isTolerant) this.#repeated.onlyNew(this.#head.defaults.problems);
    for (const website of this.#waiting) {
      this.#complete(website, this.#head);
      // These are in the order of the file, and there were fewer than a thousand before them.
      if (this.#problems.length > 2 * maxProblems && !this.#isTolerant) break;
    }
  }

  /** @throws ReadingStopped after a thousand problems, unless the reader is tolerant */
  add(item: Item): void {
    this.#count += 1;
    if (this.#count > maxWebsites) throw new ReadingStopped(item.line, tooManyItems);
    const reading = readItem(item, this.#places);
    if ("problems" in reading) this.#refuse(reading);
    else if (this.#head === undefined) this.#waiting.push(reading);
    else this.#complete(reading, this.#head);
    if (this.#problems.length < maxProblems || this.#isTolerant) return;
    const above = this.headProblems.filter(({ place }) => place.number < item.line);
    const sorted = byLine([...above, ...this.problems]);
    // The fields of the last website can be below its first line.
    throw new ReadingStopped(Math.max(item.line, sorted.at(-1)?.place.number ?? 0), andMore, sorted);
  }

  #complete(website: Stated, { defaults, shared }: ReadHead): void {
    const reading = completeEntry(website, defaults, shared);
    if ("problems" in reading) this.#refuse(reading);
    else this.entries.push(reading);
  }

  #refuse({ problems }: Refused): void {
    // An import says of each website why it is not imported.
    const own = this.#isTolerant ? problems : this.#repeated.onlyNew(problems);
    this.#problems.push(...(this.#problems.length < maxProblems ? own : own.slice(0, 1)));
  }
}

/** Sorts problems by their lines. */
export function byLine(problems: readonly FileProblem[]): readonly FileProblem[] {
  return problems.toSorted((a, b) => a.place.number - b.place.number);
}

const andMore =
  "is the last line that was read, because of the problems before it; fix these, and check the file again";
