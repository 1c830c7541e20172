import { findHost } from "../entries/find-host.ts";
import { hideUserInformation } from "../entries/hide-user-information.ts";
import type { EntryRules } from "../entries/password-source.ts";
import { type EntryReading, readEntry } from "../entries/read-entry.ts";
import type { WebsiteEntry } from "../entries/website-entry.ts";
import type { AcceptRow, Row, UnreadableRow } from "../rows/row.ts";
import { maxProblems } from "../site-file/file-problem.ts";
import type { ImportFile } from "./import-file.ts";
import { placeText } from "./place-text.ts";

/** How much of a URL a warning shows. */
const maxShown = 100;

/** Turns rows into websites. */
interface WebsiteCollector {
  /** Takes the rows of the file, in order. */
  readonly accept: AcceptRow;
  /** Returns the websites of all rows. */
  readonly finish: () => ImportFile;
}

/**
 * Collects the websites of rows. A domain that is written as a URL or in quotes is its host, and a warning says so. After a thousand
 * problems, only the first one of each website is listed: 2.7 million unknown fields took 630 MB.
 */
export function collectWebsites(rules: EntryRules): WebsiteCollector {
  const entries: WebsiteEntry[] = [];
  const refused: ImportFile["refused"][number][] = [];
  const hosts: string[] = [];
  let count = 0;
  const accept: AcceptRow = (row) => {
    const { place } = row;
    const stated = statedDomain(row);
    const host = stated === undefined ? undefined : findHost(stated);
    if (host !== undefined) hosts.push(`${placeText(place)}: ${stated?.slice(0, maxShown)} is read as ${host}`);
    const isListed = count < maxProblems;
    const reading = readRow(row, { host, rules: isListed ? rules : { ...rules, maxUnknown: 1 } });
    if ("entry" in reading) {
      entries.push(reading.entry);
      return;
    }
    count += reading.problems.length;
    const own = isListed ? reading.problems.join("; ") : reading.problems[0];
    // Lines with the same fault share its text: 99,000 texts of 140 characters took 50 MB.
    const last = refused.at(-1)?.reason;
    const reason = own === last ? last : own;
    refused.push({ place, domain: stated && hideUserInformation(stated).slice(0, 253), outcome: "refused", reason });
  };
  const finish = (): ImportFile => {
    const warning = { head: "These domains are not written as host names:", things: hosts };
    return { entries, refused, warnings: hosts.length === 0 ? [] : [warning] };
  };
  return { accept, finish };
}

function readRow(
  row: Row | UnreadableRow,
  { host, rules }: { readonly host: string | undefined; readonly rules: EntryRules },
): EntryReading {
  if (!("fields" in row)) return { problems: [row.problem] };
  return readEntry(row.place, host === undefined ? row.fields : { ...row.fields, domain: host }, rules);
}

/** Returns the domain as the file states it, so that a person finds the website. */
function statedDomain(row: Row | UnreadableRow): string | undefined {
  const domain = "fields" in row ? row.fields["domain"] : undefined;
  return (typeof domain === "string" && domain.trim()) || undefined;
}
