import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { Privacy } from "@siteward/contract/plain";
import type { Website } from "@siteward/sdk";
import { domainText } from "../../output/domain-text.ts";
import { completeSettings, isListName, readableSetting, settingNames } from "../../websites/settings.ts";
import type { EarlierFile } from "./keep-lists.ts";
import { entryText } from "./list-parts.ts";
import { siteFileVersion } from "./read-site-file.ts";

/** Where editors find the JSON Schema of a site file. */
export const schemaUrl = "https://raw.githubusercontent.com/siteward/siteward/main/apps/cli/siteward.schema.json";

/**
 * Formats websites as a site file, sorted by domain below those of an earlier file, with the Unicode form of a domain
 * as a comment. A setting that a new website has anyway is omitted. A password is named by an environment variable,
 * never written. Loads the YAML library.
 *
 * @param earlier what stays of the file that this one replaces. Its websites keep their order, so that a change of one
 *   is a change of few lines.
 */
export async function formatSiteFile(websites: Iterable<Website>, earlier?: EarlierFile): Promise<string> {
  const { yamlText } = await import("../../output/yaml.ts");
  const { domains = [], lists = {} } = earlier ?? {};
  const places = new Map(domains.map((domain, index) => [domain, index]));
  const placeOf = ({ domain }: Website): number => places.get(domain) ?? domains.length;
  const listed = Array.from(websites).toSorted((a, b) => placeOf(a) - placeOf(b) || (a.domain < b.domain ? -1 : 1));
  const content = {
    version: Number(siteFileVersion),
    ...(Object.keys(lists).length === 0 ? {} : { lists }),
    websites: listed.map((website) => toItem(website, earlier)),
  };
  const text = yamlText(content).replace(unicodeItem, (line, _head, domain: string) => {
    const shown = domainText(domain);
    // A domain that could be mistaken for another one has no comment, as tables show it in ASCII too.
    return shown === domain ? line : `${line} # ${shown}`;
  });
  return addChecksum(`# yaml-language-server: $schema=${schemaUrl}\n${text}`);
}

/** The line of a domain that has a form in Unicode. */
const unicodeItem = /^( {2}- (?:domain: )?)(\S*xn--\S+)$/gm;

/** Returns the environment variable for the password of a website. No two domains have the same. */
export function passwordVariable(domain: string): string {
  // A domain has no underscores, and no hyphen next to a dot.
  return `SITEWARD_PASSWORD_${domain.toUpperCase().replaceAll("-", "__").replaceAll(".", "_")}`;
}

function toItem(website: Website, earlier: EarlierFile | undefined): unknown {
  const { domain } = website;
  const settings = completeSettings(website);
  const defaults = completeSettings({});
  const fields = settingNames.flatMap((name) => {
    const folded = isListName(name) ? earlier?.fold(domain, name, settings[name]) : undefined;
    if (folded === undefined && isDeepStrictEqual(settings[name], defaults[name])) return [];
    const value = isListName(name) ? settings[name].map(entryText) : readableSetting(name, settings[name]);
    return [[name, folded ?? value]];
  });
  if (fields.length === 0) return domain;
  const isProtected = settings.privacy === Privacy.Password;
  return { domain, ...Object.fromEntries(fields), ...(isProtected ? { password_env: passwordVariable(domain) } : {}) };
}

/** The comment after the checksum. It says to people what the line is for. */
const purpose = "`siteward export` replaces this file without asking if nothing in it was changed.";

/** Adds a second line to an export: a comment with a checksum of all other lines. */
export function addChecksum(text: string): string {
  const second = text.indexOf("\n") + 1;
  // Half of SHA-256 finds every edit. Whoever can change the file on purpose can also write the line again.
  const checksum = createHash("sha256").update(text).digest("hex").slice(0, 32);
  return `${text.slice(0, second)}# export-checksum: ${checksum}. ${purpose}\n${text.slice(second)}`;
}

/** Whether a text is an export that nobody has changed since: its checksum is that of its other lines. */
export function isUneditedExport(text: string): boolean {
  // Git can write the lines of a file with other ends.
  const written = text.replaceAll("\r\n", "\n");
  const second = written.indexOf("\n") + 1;
  const third = written.indexOf("\n", second) + 1;
  return second > 0 && third > 0 && written === addChecksum(written.slice(0, second) + written.slice(third));
}
