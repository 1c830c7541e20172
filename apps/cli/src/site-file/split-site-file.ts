import type { FileProblem } from "./file-problem.ts";
import { isRecord, parseYaml, type YamlValue } from "./parse-yaml.ts";

/** The parts of a site file, before the fields of its websites are read. */
interface SiteFileParts {
  readonly defaults: Mapping | undefined;
  readonly websites: readonly Mapping[];
  readonly problems: readonly FileProblem[];
}

/** A mapping with the fields of a website. */
export interface Mapping {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly line: number;
  /** Returns the line of a field; that of the mapping if it does not contain the field itself. */
  readonly lineOf: (field: string) => number;
}

/** The version of the format that this CLI reads and writes. */
export const siteFileVersion = "1";

const sections = ["version", "defaults", "websites"];

/** Sections that are ignored, as in files of Docker Compose: a place for anchors that the websites share. */
const extension = /^x-/;

/** Splits a site file into its parts, and checks that it has them. */
export async function splitSiteFile(text: string): Promise<SiteFileParts> {
  const root = await parseYaml(text);
  if ("problems" in root) return { defaults: undefined, websites: [], problems: root.problems };
  if (!isRecord(root.data)) {
    const problem = `is not a site file; write "version: ${siteFileVersion}", and "websites:" with a list of domains`;
    return { defaults: undefined, websites: [], problems: [problemAt(root.line, problem)] };
  }
  const defaults = splitDefaults(root.field("defaults"));
  const websites = splitWebsites(root);
  return {
    defaults: defaults.mapping,
    websites: websites.mappings,
    problems: [...findWrongSections(root), ...defaults.problems, ...websites.problems],
  };
}

function findWrongSections(root: YamlValue): readonly FileProblem[] {
  const unknown = Object.keys(root.data ?? {}).filter((name) => !sections.includes(name) && !extension.test(name));
  const problems = unknown.map((name) =>
    problemAt(
      root.field(name)?.line ?? root.line,
      `${name} is unknown; use only ${sections.join(", ")}, and x-… for anchors`,
    ),
  );
  const version = root.field("version");
  if (version === undefined)
    problems.push(problemAt(root.line, `version is missing; add "version: ${siteFileVersion}"`));
  else if (version.data !== siteFileVersion) {
    problems.push(
      problemAt(version.line, `version is not ${siteFileVersion}; update siteward, or use ${siteFileVersion}`),
    );
  }
  return problems;
}

function splitDefaults(value: YamlValue | undefined): { mapping?: Mapping; problems: readonly FileProblem[] } {
  if (value === undefined || value.data === "") return { problems: [] };
  const mapping = mappingOf(value, value.data);
  if (mapping !== undefined) return { mapping, problems: [] };
  return {
    problems: [problemAt(value.line, 'defaults is not a mapping; write settings in it, such as "privacy: private"')],
  };
}

function splitWebsites(root: YamlValue): { mappings: readonly Mapping[]; problems: readonly FileProblem[] } {
  const list = root.field("websites");
  const items = list?.items();
  if (items === undefined) {
    const state = list === undefined ? "missing" : "not a list";
    const problem = `websites is ${state}; write one "- example.com" for each website, or [] if there are none`;
    return { mappings: [], problems: [problemAt(list?.line ?? root.line, problem)] };
  }
  const mappings = items.map((item) =>
    mappingOf(item, typeof item.data === "string" ? { domain: item.data } : item.data),
  );
  const others = items.filter((_item, index) => mappings[index] === undefined);
  return {
    mappings: mappings.filter((mapping) => mapping !== undefined),
    problems: others.map(({ line }) => {
      const problem = problemAt(line, 'is not a website; write a domain, or a mapping with "domain:"');
      return { ...problem, website: problem.place };
    }),
  };
}

function mappingOf(value: YamlValue, fields: unknown): Mapping | undefined {
  if (!isRecord(fields)) return undefined;
  return { fields, line: value.line, lineOf: (field) => value.field(field)?.line ?? value.line };
}

function problemAt(line: number, problem: string): FileProblem {
  return { place: { unit: "line", number: line }, problem };
}
