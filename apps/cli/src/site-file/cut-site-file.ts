import { maxWebsites } from "../entries/max-websites.ts";
import { ReadingStopped } from "./reading-stopped.ts";

/** A part of a site file that is parsed by itself, so that no more of the file than this is in memory as values. */
export interface TextPart {
  readonly text: string;
  /** The line of the file in which the part starts. Counts from 1. */
  readonly line: number;
  /**
   * Whether it is a list of websites, without the key above it. Other parts are mappings with sections of the file. What is
   * below the list follows on a line with that key again, without which a parser would accept what only starts a file.
   */
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
 * @param minLength the shortest part of the list. Default: 64 KiB
 * @throws ReadingStopped if the list has more websites than a file may contain, before any of them is parsed
 */
export function cutSiteFile(text: string, minLength = partLength): readonly TextPart[] {
  const list = findList(text);
  if (list === undefined) return [{ text, line: 1, isWebsites: false }];
  return [{ text: text.slice(0, list.start), line: 1, isWebsites: false }, ...cutList(text, { ...list, minLength })];
}

/** Cuts the list, and the sections below it. */
function* cutList(
  text: string,
  { start: listStart, line: listLine, indent, minLength }: ListStart & { readonly minLength: number },
): Generator<TextPart> {
  const dash = `${" ".repeat(indent)}-`;
  let [start, startLine, items] = [listStart, listLine, 0];
  for (let offset = start, line = listLine; offset < text.length; offset = nextLine(text, offset), line += 1) {
    const kind = kindOfLine(text, offset, dash);
    if (kind === "marker") break;
    if (kind === "item") items += 1;
    if (items > maxWebsites) throw new ReadingStopped(line, tooManyItems);
    if (kind === "inside" || (kind === "item" && offset - start < minLength)) continue;
    yield { text: text.slice(start, offset), line: startLine, isWebsites: true };
    if (kind === "section") {
      return yield { text: `${listKey}:\n${text.slice(offset)}`, line: line - 1, isWebsites: false };
    }
    [start, startLine] = [offset, line];
  }
  yield { text: text.slice(start), line: startLine, isWebsites: true };
}

/** A marker ends the document. What follows it is no part of the list, so the parser gets it together with the item above. */
function kindOfLine(text: string, offset: number, dash: string): "marker" | "item" | "section" | "inside" {
  if (/^(---|\.\.\.)/.test(text.slice(offset, offset + 3))) return "marker";
  if (startsItem(text, offset, dash)) return "item";
  return /[^\s#-]/.test(text[offset] ?? "") ? "section" : "inside";
}

/** What is wrong with the first website that is too many. */
export const tooManyItems = `is past the limit of ${maxWebsites.toLocaleString("en-US")} websites; split the file`;

/** Where the first item of a list starts, and how far its items are indented. */
interface ListStart {
  readonly start: number;
  readonly line: number;
  readonly indent: number;
}

/** The section that is cut. */
export const listKey = "websites";

/** Finds the list below `websites:` at the start of a line, if its items are lines with a dash. */
function findList(text: string): ListStart | undefined {
  for (let line = 1, offset = 0; offset < text.length; offset = nextLine(text, offset), line += 1) {
    const afterKey = offset + listKey.length + 1;
    if (text.startsWith(`${listKey}:`, offset) && isBlank(text.slice(afterKey, nextLine(text, offset)))) {
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
