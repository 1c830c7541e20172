import { Anchors } from "./anchors.ts";
import { buildValue } from "./build-value.ts";
import type { TextPart } from "./cut-site-file.ts";
import { ReadingStopped } from "./reading-stopped.ts";
import type { OnItem, YamlValue } from "./yaml-value.ts";

/** A site file needs four levels: the file, its list, a website and a list of entries. The rest is for `x-` sections. */
const maxDepth = 32;

/**
 * The most values of one part. A list of websites is read in parts of a few thousand values, so this is for lists that are
 * written without a dash per website: 100,000 domains in brackets, each on a line of its own, are 200,000. The library and the values
 * take up to 300 bytes for each.
 */
const maxValues = 225_000;

/** The longest part: 100,000 domains in brackets, of 80 characters each. The library takes as long for blanks as for values. */
const maxPartLength = 8 * 1024 * 1024;

/** A part of this length cannot have too many values, so they are not counted. */
const maxUncountedLength = maxValues;

/** Parses the parts of one file. An alias finds its anchor in an earlier part. */
export type YamlParser = (part: TextPart) => YamlValue | undefined;

/**
 * Creates a parser of YAML 1.2, with the merge keys (`<<`) of YAML 1.1, for one file. In its schema, failsafe, every scalar is
 * a string, so parameters named 42, no or null need no quotes. Loads the YAML library.
 *
 * @param onItem called with each item of the list of websites, as soon as it is read. The value of the list does not contain them.
 * @returns a function that returns the value of a part, undefined if it is empty, and throws {@link ReadingStopped}
 */
export async function createYamlParser(onItem: OnItem): Promise<YamlParser> {
  const library = await import("js-yaml");
  const anchors = new Anchors();
  return (part) => {
    const excess = findExcess(part);
    // Lists in lists without an end are past this limit too, but their nesting is what is wrong. The start of the text shows it.
    const text = excess === undefined ? part.text : part.text.slice(0, maxUncountedLength);
    try {
      const events = library.parseEvents(text, { maxDepth });
      if (excess === undefined) return buildValue({ part, events, library, anchors, onItem });
    } catch (error) {
      if (!(error instanceof library.YAMLException)) throw error;
      if (excess === undefined || isTooDeep(error)) throw toFault(part, error);
    }
    throw excess;
  };
}

/** Counts what begins or ends a value, before the library reads any. */
function findExcess({ text, line }: TextPart): ReadingStopped | undefined {
  if (text.length <= maxUncountedLength) return undefined;
  if (text.length > maxPartLength) return notInItems(line, "8 MiB");
  /** The brackets that are open here. */
  const open: string[] = [];
  let [values, lines] = [0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? "";
    if (character === "\n") lines += 1;
    if ("[{".includes(character)) open.push(character);
    if ("]}".includes(character)) open.pop();
    values += countAt(text, index, open.at(-1) === "[");
    if (values > maxValues) return notInItems(line + lines, `${maxValues.toLocaleString("en-US")} values`);
  }
  return undefined;
}

/**
 * Returns how many values begin or end with a character. A list or mapping takes the memory of two: one in brackets or braces, and the
 * mapping that a colon begins among the items of brackets, as in `[a: 1, b: 2]`.
 */
function countAt(text: string, index: number, isInBrackets: boolean): number {
  const character = text[index] ?? "";
  if ("[{".includes(character)) return 2;
  if ("\n,".includes(character)) return 1;
  const isIndicator = text[index + 1] === " " && "-?:".includes(character);
  if (isInBrackets && character === ":" && (isIndicator || text[index - 1] === '"')) return 3;
  return isIndicator ? 1 : 0;
}

function notInItems(line: number, limit: string): ReadingStopped {
  return new ReadingStopped(
    line,
    `is past the limit of ${limit} outside of a list of websites; write each website on lines of its own that start ` +
      "with a dash, as `siteward export` does",
  );
}

/** An error of the library. */
interface Fault {
  readonly reason: string;
  readonly mark?: { readonly line: number; readonly position: number };
}

function isTooDeep({ reason }: Fault): boolean {
  return reason.startsWith("nesting exceeded");
}

function toFault({ text, line }: TextPart, error: Fault): ReadingStopped {
  const faultLine = error.mark?.line ?? 0;
  const content = text.split("\n", faultLine + 1)[faultLine] ?? "";
  return new ReadingStopped(line + faultLine, nameWithoutQuotes(text, error) ?? describeFault(error, content));
}

/** YAML reserves the sign of a list, and the library only says what it misses in front of it. */
function nameWithoutQuotes(text: string, { mark }: Fault): string | undefined {
  const [name] = /^@[^\s,[\]{}"']+/.exec(text.slice(mark?.position, (mark?.position ?? 0) + 64)) ?? [];
  return name && `has ${name} without quotes, which YAML does not allow; write "${name}"`;
}

/** @param content that of the line with the error */
function describeFault(error: Fault, content: string): string {
  if (isTooDeep(error)) {
    return `has lists or mappings that are nested more than ${maxDepth} deep; a website needs 4 levels`;
  }
  // In strings, and between brackets or braces, a tab is allowed.
  if (/^[ -]*\t/.test(content) && ofIndentation.test(error.reason)) {
    return "is indented with a tab; YAML indents with spaces, so replace the tab";
  }
  return `is not valid YAML: ${error.reason}`;
}

/** What the library says of a tab in the indentation of a line, or between a dash and a mapping. */
const ofIndentation = /^(tab characters must|bad indentation|end of the stream or a document separator)/;
