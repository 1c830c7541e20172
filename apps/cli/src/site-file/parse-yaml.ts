import type { YAMLError } from "yaml";
import type { FileProblem } from "./file-problem.ts";

/** A value of a YAML file, and where it is. */
export interface YamlValue {
  /** A string, an array or an object: every scalar is a string. Null in an empty file. */
  readonly data: unknown;
  /** The line in which the value, or the field that has it, starts. Counts from 1. */
  readonly line: number;
  /** Returns the value of a field; undefined if this is not a mapping that has it. */
  readonly field: (name: string) => YamlValue | undefined;
  /** Returns the items of a list; undefined if this is not a list. */
  readonly items: () => readonly YamlValue[] | undefined;
}

/** The longest text that is parsed. 10,000 websites with ten networks each are about 3 MB. */
const maxTextLength = 32 * 1024 * 1024;

/** How many aliases can refer to an anchor: a few for each website of a large file. Aliases to nodes with aliases multiply. */
const maxAliasCount = 100_000;

/** Parses YAML 1.2, with the merge keys (`<<`) of YAML 1.1. Loads the YAML library. */
export async function parseYaml(text: string): Promise<YamlValue | { readonly problems: readonly FileProblem[] }> {
  if (text.length > maxTextLength) {
    return { problems: [problemAt(1, `is longer than ${maxTextLength} characters; split it into several files`)] };
  }
  const { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  // In the failsafe schema every scalar is a string, so parameters named 42, no or null need no quotes.
  const document = parseDocument(text, { schema: "failsafe", merge: true, lineCounter: lines, prettyErrors: false });
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0)
    return { problems: faults.map((fault) => problemAt(lineAt(fault.pos[0]), describeFault(fault, text))) };
  const locate = (data: unknown, node: unknown, line: number): YamlValue => ({
    data,
    line,
    field: (name) => {
      if (!isRecord(data) || !Object.hasOwn(data, name)) return undefined;
      // A field that comes from an alias or a merge key is not in the mapping itself.
      const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === name) : undefined;
      return locate(data[name], pair?.value, lineOf(pair?.key, line));
    },
    items: () => {
      const nodes: readonly unknown[] = isSeq(node) ? node.items : [];
      if (!Array.isArray(data)) return undefined;
      return data.map((item: unknown, index) => locate(item, nodes[index], lineOf(nodes[index], line)));
    },
  });
  const lineOf = (node: unknown, otherwise: number): number =>
    isNode(node) && node.range ? lineAt(node.range[0]) : otherwise;
  try {
    return locate(document.toJS({ maxAliasCount }), document.contents, lineOf(document.contents, 1));
  } catch (error) {
    // An unknown alias, too many aliases, or nesting that exceeds the stack.
    return { problems: [problemAt(1, notYaml(error instanceof Error ? error.message : String(error)))] };
  }
}

/** Whether this is a mapping. */
export function isRecord(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}

function problemAt(line: number, problem: string): FileProblem {
  return { place: { unit: "line", number: line }, problem };
}

function describeFault({ code, message, pos }: YAMLError, text: string): string {
  if (code !== "DUPLICATE_KEY") return notYaml(message);
  const key = /^[^\s:]{1,100}/.exec(text.slice(pos[0], pos[0] + 100))?.[0] ?? "";
  return `${JSON.stringify(key)} is stated twice; remove one of the two`;
}

function notYaml(message: string): string {
  return `is not valid YAML: ${message.replace(/\.$/, "")}`;
}
