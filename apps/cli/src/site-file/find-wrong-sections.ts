import { listKey } from "./cut-site-file.ts";
import type { FileProblem } from "./file-problem.ts";
import { problemAt } from "./problem-at.ts";
import type { YamlField } from "./yaml-value.ts";

/** The version of the format that this CLI reads and writes. */
export const siteFileVersion = "1";

const sections = ["version", "lists", "defaults", listKey];

/** How many unknown sections are listed. */
const maxUnknown = 100;

/** Sections that are ignored, as in files of Docker Compose: a place for anchors that the websites share. */
const extension = /^x-/;

/** Returns what is wrong with the names of the sections of a file, and with its version. */
export function findWrongSections(root: ReadonlyMap<string, YamlField>, firstLine: number): readonly FileProblem[] {
  const unknown = [...root].filter(([name]) => !sections.includes(name) && !extension.test(name));
  const problems = unknown
    .slice(0, maxUnknown)
    .map(([name, { line }]) =>
      problemAt(line, `${name.slice(0, 60)} is unknown; use only ${sections.join(", ")}, and x-… for anchors`),
    );
  const version = root.get("version");
  if (version === undefined)
    problems.push(problemAt(firstLine, `version is missing; add "version: ${siteFileVersion}"`));
  else if (version.value.data !== siteFileVersion) {
    problems.push(
      problemAt(version.line, `version is not ${siteFileVersion}; update siteward, or use ${siteFileVersion}`),
    );
  }
  return problems;
}
