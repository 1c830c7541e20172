import type { WebsiteEntry } from "../entries/website-entry.ts";
import { type FileProblem, maxProblems } from "./file-problem.ts";
import { problemAt } from "./problem-at.ts";
import { ReadingStopped } from "./reading-stopped.ts";
import type { SharedLists } from "./shared-lists.ts";
import { splitSiteFile } from "./split-site-file.ts";
import { byLine, WebsiteCollector } from "./website-collector.ts";

/** What a site file lists, and what is wrong with it. */
interface SiteFile {
  /**
   * The websites without a problem, in the order of the file, with the defaults of the file and the entries of its lists. No domain
   * is there twice.
   */
  readonly entries: readonly WebsiteEntry[];
  /** In the order of the file. */
  readonly problems: readonly FileProblem[];
  /** The lists that the websites share; undefined if the file has none. */
  readonly shared?: SharedLists;
}

/** How a site file is read. */
interface ReadOptions {
  /** Whether websites are read that follow more than a thousand problems: an import skips those with a problem. Default: false. */
  readonly isTolerant?: boolean;
}

/**
 * Reads a site file (docs/cli-plan.md): `version`, `lists`, `defaults` and `websites` in YAML. Finds every problem at once, up to a
 * thousand. If the file is not YAML or past a limit, this is the only problem. An entry does not contain the settings that neither its
 * website nor the defaults state.
 *
 * @example
 * await readSiteFile("version: 1\nwebsites: [example.com]\n");
 * // { entries: [{ place: { unit: "line", number: 2 }, domain: "example.com", settings: {} }], problems: [], … }
 */
export async function readSiteFile(text: string, { isTolerant = false }: ReadOptions = {}): Promise<SiteFile> {
  try {
    return await readParts(text, isTolerant);
  } catch (error) {
    if (error instanceof ReadingStopped)
      return { entries: [], problems: [...error.before, problemAt(error.line, error.message)] };
    throw error;
  }
}

async function readParts(text: string, isTolerant: boolean): Promise<SiteFile> {
  const websites = new WebsiteCollector(isTolerant);
  const parts = await splitSiteFile(text, {
    onItem: (item) => websites.add(item),
    onHead: (head) => websites.setHead(head),
  });
  websites.setHead(parts);
  const sorted = byLine([...websites.problems, ...parts.problems, ...websites.headProblems]);
  const { entries, shared } = websites;
  const problems = isTolerant ? sorted : withoutMore(sorted);
  return { entries, problems, ...(shared !== undefined && shared.byName.size > 0 ? { shared } : {}) };
}

/** Returns the first thousand problems, and one that says where the others start. */
function withoutMore(problems: readonly FileProblem[]): readonly FileProblem[] {
  const next = problems[maxProblems];
  if (next === undefined) return problems;
  return [...problems.slice(0, maxProblems), problemAt(next.place.number, andOthers)];
}

const andOthers = "is the first line with problems that are not listed; fix those before it, and check the file again";
