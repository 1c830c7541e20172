import { closestName } from "../entries/closest-name.ts";
import { nameSome } from "../output/name-some.ts";
import { showValue } from "../settings/reading.ts";
import { type FileProblem, maxProblems } from "./file-problem.ts";
import { type NamedList, nameOf, nameText, splitItems } from "./list-items.ts";
import { problemAt } from "./problem-at.ts";

/** How deep lists can be in lists. Each level is a call of a function. */
const maxDepth = 32;

/** What is wrong with the lists that lists contain. */
interface Circles {
  readonly problems: readonly FileProblem[];
  /** The lists that contain themselves, one that does not exist, or one of these lists. */
  readonly faulty: ReadonlySet<string>;
}

/**
 * Finds lists that contain themselves, that contain lists that do not exist, or that are nested too deep. Each has one problem.
 *
 * @param faulty the lists that have another problem
 */
export function findCircles(lists: ReadonlyMap<string, NamedList>, faulty: ReadonlySet<string>): Circles {
  const search = new Search(lists, faulty);
  for (const [name, list] of lists) search.visit(name, list, []);
  return search;
}

class Search implements Circles {
  readonly problems: FileProblem[] = [];
  readonly faulty: Set<string>;
  readonly #lists: ReadonlyMap<string, NamedList>;
  readonly #names: readonly string[];
  /** How deep the lists in a list are nested, with itself. */
  readonly #depths = new Map<string, number>();

  constructor(lists: ReadonlyMap<string, NamedList>, faulty: ReadonlySet<string>) {
    this.#lists = lists;
    this.#names = [...lists.keys()];
    this.faulty = new Set(faulty);
  }

  /**
   * @param path the lists that contain this one, the outermost first
   * @returns how deep the list is nested; undefined if it is faulty
   */
  visit(name: string, list: NamedList, path: readonly string[]): number | undefined {
    if (this.faulty.has(name)) return undefined;
    const start = path.indexOf(name);
    if (start !== -1) return this.#add(list, inItself([...path.slice(start), name]));
    const known = this.#depths.get(name);
    if (path.length + (known ?? 1) > maxDepth) return this.#add(list, tooDeep(name));
    if (known !== undefined) return known;
    const depth = this.#depthOf(list, [...path, name]);
    if (depth === undefined) this.faulty.add(name);
    else this.#depths.set(name, depth);
    return depth;
  }

  #depthOf(list: NamedList, path: readonly string[]): number | undefined {
    let depth: number | undefined = 1;
    for (const name of namesIn(list)) {
      const inner = this.#lists.get(name);
      if (inner === undefined) {
        this.#add(list, `list ${path.at(-1)} contains ${unknownList(name, this.#names)}`);
      }
      const below = inner && this.visit(name, inner, path);
      depth = below === undefined || depth === undefined ? undefined : Math.max(depth, below + 1);
    }
    return depth;
  }

  #add({ line }: NamedList, problem: string): undefined {
    if (this.problems.length <= maxProblems) this.problems.push(problemAt(line, problem));
  }
}

/** Says of a list that it does not exist, and which do. */
export function unknownList(name: string, known: readonly string[]): string {
  const shown = showValue(nameText(name));
  if (known.length === 0) return `${shown}, but the file has no lists; add "lists:" with it at the top`;
  const closest = closestName(name, known.slice(0, maxCompared));
  const advice = closest === undefined ? `its lists are ${nameSome(known, 10)}` : `did you mean ${nameText(closest)}?`;
  return `${shown}, which is not a list of the file; ${advice}`;
}

/** A file can have thousands of lists and of unknown names, and a comparison takes a microsecond. */
const maxCompared = 100;

function namesIn({ items }: NamedList): ReadonlySet<string> {
  return new Set(splitItems(items).flatMap((part) => nameOf(part) ?? []));
}

function inItself(path: readonly string[]): string {
  const [name = ""] = path;
  if (path.length === 2) return `list ${name} contains itself; remove "${nameText(name)}" from it`;
  return `list ${name} contains itself (${path.map(nameText).join(" → ")}); remove one of these`;
}

function tooDeep(name: string): string {
  return `list ${name} is nested more than ${maxDepth} deep in other lists; write its entries in one of them`;
}
