import type { Parsed } from "@siteward/contract/plain";
import type { Warning } from "../output/notices.ts";
import { CliError } from "../process/cli-error.ts";
import type { Place } from "./entry.ts";

/** How many websites a file may contain. */
export const maxWebsites = 100_000;

/** Returns the error of a file with more websites. A reader throws it at the first one that is too many. */
export function tooManyWebsites(): CliError {
  const limit = maxWebsites.toLocaleString("en-US");
  return new CliError("input_refused", `The file has more than ${limit} websites. Split it into several files.`);
}

/** The fields of one website in a file, not yet checked, or why it is not a website. */
type Content = { readonly fields: Readonly<Record<string, unknown>> } | { readonly problem: string };

/** A website in a file. */
export type Row = { readonly place: Place } & Content;

/** The websites of a file. */
export interface Rows {
  readonly rows: readonly Row[];
  /** What a person should know of how they were read, if it lists something. */
  readonly warnings?: readonly Warning[];
}

/** The longest line. A website with the longest lists has 90,000 characters in escaped JSON. */
const maxLineLength = 100_000;

const tooLong = `has more than ${maxLineLength.toLocaleString("en-US")} characters; write one website per line`;

/** Reads a plain list: one domain per line. `#` starts a comment, at the start of a line or after whitespace. */
export function readList(text: string): readonly Row[] {
  return readLines(text, (line) => {
    const domain = line.replace(/(^|\s)#.*$/, "").trim();
    return domain === "" ? undefined : { fields: { domain } };
  });
}

/** Reads one JSON value per line. Blank lines are ignored. */
export function readNdjson(text: string): readonly Row[] {
  return readLines(text, (line) => {
    if (line.trim() === "") return undefined;
    const parsed = parseLine(line);
    return parsed.ok ? contentOf(parsed.value) : { problem: parsed.reason };
  });
}

/** Returns the rows of the items of a list in JSON. */
export function readItems(items: readonly unknown[]): readonly Row[] {
  if (items.length > maxWebsites) throw tooManyWebsites();
  return items.map((item, index) => ({ place: { unit: "item", number: index + 1 }, ...contentOf(item) }));
}

/** Reads a website, or a domain alone. */
function contentOf(item: unknown): Content {
  if (typeof item === "string") return { fields: { domain: item } };
  return isObject(item) ? { fields: item } : { problem: 'is not an object such as {"domain": "example.com"}' };
}

/** @throws CliError `input_refused` if there are more websites than a file may contain */
function readLines(text: string, read: (line: string) => Content | undefined): readonly Row[] {
  const rows: Row[] = [];
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    const content = line.length > maxLineLength ? { problem: tooLong } : read(line);
    if (content === undefined) continue;
    if (rows.length === maxWebsites) throw tooManyWebsites();
    rows.push({ place: { unit: "line", number: index + 1 }, ...content });
  }
  return rows;
}

/** Parses JSON. The reason names a place, never the text around it, which could contain a password. */
export function parseJson(text: string): Parsed<unknown> {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, reason: describeFault(text, String(error)) };
  }
}

/** Parses a line of JSON, whose place the caller names. */
export function parseLine(line: string): Parsed<unknown> {
  const parsed = parseJson(line);
  return parsed.ok ? parsed : { ok: false, reason: notJson };
}

/** @throws CliError `input_refused` if a file is not JSON */
export function parseJsonFile(text: string): unknown {
  const parsed = parseJson(text);
  if (parsed.ok) return parsed.value;
  throw new CliError("input_refused", `The file ${parsed.reason}.`);
}

const notJson = "is not valid JSON";

function describeFault(text: string, error: string): string {
  if (/^\s*</.test(text)) return "is HTML or XML, not JSON";
  if (error.includes(": Unexpected end of JSON input")) return `${notJson}: it ends too early`;
  // The runtime does not say where a token is that cannot be there, such as the end of an array behind a comma.
  const [, token] = /Unexpected token '([[\]{},:])'/.exec(error) ?? [];
  if (token !== undefined) return `${notJson}: it has a misplaced ${token}`;
  const [place] = /\(line \d+ column \d+\)/.exec(error) ?? [];
  return place === undefined ? notJson : `${notJson} ${place}`;
}

/** Whether a value is an object, and not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
