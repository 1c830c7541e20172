import { findHost } from "../entries/find-host.ts";
import { hideUserInformation } from "../entries/hide-user-information.ts";
import type { EntryRules } from "../entries/password-source.ts";
import { readEntry } from "../entries/read-entry.ts";
import type { WebsiteEntry } from "../entries/website-entry.ts";
import type { Rows } from "../rows/row.ts";
import type { ImportFile } from "./import-file.ts";
import { placeText } from "./place-text.ts";

/** How much of a URL a warning shows. */
const maxShown = 100;

/** Reads rows as websites. A domain that is written as a URL or in quotes is its host, and a warning says so. */
export function readWebsiteRows(rows: Rows, rules: EntryRules): ImportFile {
  const entries: WebsiteEntry[] = [];
  const refused: ImportFile["refused"][number][] = [];
  const hosts: string[] = [];
  for (const row of rows) {
    const { place } = row;
    const stated = statedDomain(row);
    const host = stated === undefined ? undefined : findHost(stated);
    const reading =
      "fields" in row ? readEntry(place, withDomain(row.fields, host), rules) : { problems: [row.problem] };
    if ("entry" in reading) entries.push(reading.entry);
    else {
      const reason = reading.problems.join("; ");
      refused.push({ place, domain: stated && hideUserInformation(stated).slice(0, 253), outcome: "refused", reason });
    }
    if (host !== undefined) hosts.push(`${placeText(place)}: ${stated?.slice(0, maxShown)} is read as ${host}`);
  }
  const warnings = hosts.length === 0 ? [] : [{ head: "These domains are not written as host names:", things: hosts }];
  return { entries, refused, warnings };
}

/** Returns the domain as the file states it, so that a person finds the website. */
function statedDomain(row: Rows[number]): string | undefined {
  const domain = "fields" in row ? row.fields["domain"] : undefined;
  return (typeof domain === "string" && domain.trim()) || undefined;
}

function withDomain(fields: Readonly<Record<string, unknown>>, host: string | undefined) {
  return host === undefined ? fields : { ...fields, domain: host };
}
