import { showValue } from "../settings/reading.ts";
import type { FileProblem } from "./file-problem.ts";
import { findCircles } from "./find-circles.ts";
import { countParts, type NamedList, readItems } from "./list-items.ts";
import type { Mapping } from "./mapping.ts";
import { problemAt } from "./problem-at.ts";
import { ReadingStopped } from "./reading-stopped.ts";

/** The lists of a file. */
export interface NamedLists {
  readonly byName: ReadonlyMap<string, NamedList>;
  /** The lists whose entries are not known, because of a problem with them or with a list in them. */
  readonly faulty: ReadonlySet<string>;
  readonly problems: readonly FileProblem[];
}

/** The names that lists can have. They contain no comma, because commas separate the entries of a setting. */
export const listName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const nameForm = "use up to 64 letters, digits, dots, underscores and hyphens, and begin with a letter or digit";

/** The most entries of all lists together, and names of lists in them. */
const maxParts = 50_000;

const tooManyParts = `is past the limit of ${maxParts.toLocaleString("en-US")} entries of lists; split the file`;

/**
 * Reads the section with the lists of a file. What their entries must be is decided by the setting that uses them.
 *
 * @throws ReadingStopped if there are too many
 */
export function readNamedLists(section: Mapping | undefined): NamedLists {
  const byName = new Map<string, NamedList>();
  const faulty = new Set<string>();
  const problems: FileProblem[] = [];
  let count = 0;
  for (const [name, value] of Object.entries(section?.fields ?? {})) {
    const line = section?.lineOf(name) ?? 1;
    const items = value === "" ? undefined : readItems(value);
    count += countParts(items ?? []);
    if (count > maxParts) throw new ReadingStopped(line, tooManyParts);
    const problem = faultOf(name, value, items !== undefined);
    byName.set(name, { line, items: items ?? [] });
    if (problem === undefined) continue;
    faulty.add(name);
    problems.push(problemAt(line, problem));
  }
  const circles = findCircles(byName, faulty);
  return { byName, faulty: circles.faulty, problems: [...problems, ...circles.problems] };
}

function faultOf(name: string, value: unknown, isList: boolean): string | undefined {
  if (!listName.test(name)) return `list ${showValue(name)} has a name that is not valid; ${nameForm}`;
  if (value === "") return `list ${name} has no entries; write [] if it is empty`;
  if (isList) return undefined;
  return `list ${name} is not a list of entries; write them as in "${name}: [203.0.113.0/24, 2001:db8::/32]"`;
}
