import { constructFromEvents, FAILSAFE_SCHEMA, mapTag, mergeTag, parseEvents, YAMLException } from "js-yaml";
import { type FileProblem, problemAt } from "./file-problem.ts";
import { findLines, type LineFinder } from "./find-lines.ts";

/** A site file needs four levels. The rest is for `x-` sections. */
const maxDepth = 32;

/**
 * The most marks of a file: each begins at most two values, which take up to 260 bytes each. 100,000 websites with five
 * settings have a million.
 */
const maxMarks = 1_100_000;

const tooManyValues = "has too many values for one file; split it into several files";

/** What is in a file, or the first thing in it that is not YAML or past a limit. */
type YamlReading = { readonly value: unknown; readonly lineOf: LineFinder } | { readonly problem: FileProblem };

/**
 * Reads YAML 1.2 with the merge keys (`<<`) of YAML 1.1. In its schema, failsafe, every scalar is a string, so
 * parameters named 42, no or null need no quotes.
 */
export function readYaml(text: string): YamlReading {
  if (countMarks(text) > maxMarks) return { problem: problemAt(1, tooManyValues) };
  try {
    const events = parseEvents(text, { maxDepth });
    const [value, ...others] = constructFromEvents(events, {
      source: text,
      schema: FAILSAFE_SCHEMA.withTags([mergeTag, mappingTag]),
      maxAliases: 200_000,
      maxTotalMergeKeys: 1_000_000,
    });
    if (others.length === 0) return { value, lineOf: findLines(text, events) };
    return { problem: problemAt(1, "is in a file of several documents, separated by ---; a site file is one") };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return { problem: problemAt((error.mark?.line ?? 0) + 1, describeFault(error, text)) };
  }
}

/**
 * Without a prototype, a mapping takes as much memory with names that no other has: otherwise, V8 makes a class of each
 * of them.
 */
const mappingTag: typeof mapTag = { ...mapTag, create: () => Object.create(null) };

/** Counts what begins a value, an anchor, a document or an escape, before the library reads any, up to the limit. */
function countMarks(text: string): number {
  const mark = /[,[{&\\]|[-:?](?=\s)|":|''|\n[%.]/g;
  let count = 0;
  while (count <= maxMarks && mark.test(text)) count += 1;
  return count;
}

function describeFault({ reason, mark }: YAMLException, text: string): string {
  // YAML reserves the sign of a list, and the library only says what it misses in front of it.
  const position = mark?.position ?? 0;
  const [list] = /^@[^\s,[\]{}"']+/.exec(text.slice(position, position + 100)) ?? [];
  if (list !== undefined) return `has ${list} without quotes, which YAML does not allow; write "${list}"`;
  return `is not valid YAML: ${reason}`;
}
