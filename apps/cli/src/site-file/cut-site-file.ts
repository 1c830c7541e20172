/** A part of a site file that is parsed by itself, so that no more of the file than this is in memory as values. */
export interface TextPart {
  readonly text: string;
  /** The line of the file in which the part starts. Counts from 1. */
  readonly line: number;
  /** Whether it is a list of websites, without the key above it. Other parts are mappings with sections of the file. */
  readonly isWebsites: boolean;
}

/** A part of this length takes a few megabytes as values. The values of a file of 100,000 websites took 800 MB. */
const partLength = 64 * 1024;

/**
 * Cuts a site file into its sections and parts of its list of websites, in the order of the file.
 *
 * The list is cut only in front of a line that starts with a dash at the indentation of its items. YAML requires that all
 * lines of an item are indented deeper, also those of strings, so the parts say what the entire file says. A file whose
 * list is not written with a dash per website is one part.
 *
 * @param text with "\n" as line breaks
 */
export function* cutSiteFile(text: string): Generator<TextPart> {
  const list = findList(text);
  if (list === undefined) return yield { text, line: 1, isWebsites: false };
  yield { text: text.slice(0, list.start), line: 1, isWebsites: false };
  const dash = `${" ".repeat(list.indent)}-`;
  let { start, line: startLine } = list;
  let line = startLine;
  for (let offset = start; offset < text.length; offset = nextLine(text, offset), line += 1) {
    // A marker ends the document. What follows is no part of the list, so the parser gets it together with the item above.
    if (/^(---|\.\.\.)/.test(text.slice(offset, offset + 3))) break;
    const isSection = /[^\s#-]/.test(text[offset] ?? "");
    if (!isSection && (offset - start < partLength || !startsItem(text, offset, dash))) continue;
    yield { text: text.slice(start, offset), line: startLine, isWebsites: true };
    if (isSection) return yield { text: text.slice(offset), line, isWebsites: false };
    [start, startLine] = [offset, line];
  }
  yield { text: text.slice(start), line: startLine, isWebsites: true };
}

/** Where the first item of a list starts, and how far its items are indented. */
interface ListStart {
  readonly start: number;
  readonly line: number;
  readonly indent: number;
}

/** Finds the list below `websites:` at the start of a line, if its items are lines with a dash. */
function findList(text: string): ListStart | undefined {
  for (let line = 1, offset = 0; offset < text.length; offset = nextLine(text, offset), line += 1) {
    if (text.startsWith("websites:", offset) && isBlank(text.slice(offset + 9, nextLine(text, offset)))) {
      return findFirstItem(text, nextLine(text, offset), line + 1);
    }
  }
  return undefined;
}

function findFirstItem(text: string, after: number, lineAfter: number): ListStart | undefined {
  for (let start = after, line = lineAfter; start < text.length; start = nextLine(text, start), line += 1) {
    const content = text.slice(start, nextLine(text, start));
    if (isBlank(content)) continue;
    const indent = content.search(/[^ ]/);
    return startsItem(text, start, content.slice(0, indent + 1)) ? { start, line, indent } : undefined;
  }
  return undefined;
}

function startsItem(text: string, offset: number, dash: string): boolean {
  return dash.endsWith("-") && text.startsWith(dash, offset) && /^\s?$/.test(text[offset + dash.length] ?? "");
}

/** Whether a line, or the rest of one, is empty or a comment. */
function isBlank(text: string): boolean {
  return /^\s*(#|$)/.test(text);
}

/** Returns where the line after this one starts. */
function nextLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}
