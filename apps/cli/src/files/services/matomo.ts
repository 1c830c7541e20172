import { canonicalizeIpNetwork, entryGrammars, type Parsed } from "@siteward/contract/plain";
import { isObject } from "../rows.ts";
import type { Export } from "./service.ts";

/**
 * Takes an export of Matomo apart: sites in an array or an object by ID, or the answer of `API.getBulkRequest` with the
 * sites, the addresses and the parameters that are excluded everywhere, and what the user `anonymous` may see. In place
 * of what the token may not read, there is an object with the error.
 */
export function openMatomo(content: unknown): Export | undefined {
  const [first, ...others] = sitesOf(content) === undefined ? [content].flat() : [content];
  const sites = sitesOf(first);
  if (sites === undefined) return undefined;
  const [ips, params] = others.map((part) => (isObject(part) ? part["value"] : undefined));
  const access = others.find(Array.isArray);
  const missing = [
    sites.length === 100 && "more than 100 sites, which Matomo gives only with filter_limit=-1",
    !sites.some((site) => "alias_urls" in site) && "other addresses of the sites",
    ips === undefined && "addresses that are excluded from all sites",
    params === undefined && "parameters that are excluded from all sites",
    access === undefined && "sites that anyone may see, which become private",
  ];
  const publicIds = new Set([access].flat().map((rights) => String(Object(rights).site)));
  const asStated = sites.map((site) => ({
    ...site,
    public: publicIds.has(String(site["idsite"])),
    excluded_ips: [site["excluded_ips"], ips].flat(),
    excluded_parameters: [site["excluded_parameters"], params].flat(),
  }));
  return { sites: asStated, missing: missing.filter((what) => what !== false) };
}

function sitesOf(answer: unknown): readonly Readonly<Record<string, unknown>>[] | undefined {
  const sites = isObject(answer) ? Object.values(answer) : [answer].flat();
  return sites.every((site) => isObject(site) && "main_url" in site) ? sites.filter(isObject) : undefined;
}

/**
 * PHP reads a regular expression between two equal signs or two brackets, and Matomo looks for it anywhere in a name.
 * These flags remain after Matomo has lower-cased it.
 */
const pattern = /^(?:([^\w\s\\]|_)(?:\\.|(?!\1)[^\\])*\1|\[.*\]|\(.*\)|\{.*\}|<.*>)[imnsux]*$/is;

/** A pattern for the names that are a text, or begin with it, whatever its flags are. */
const anchored = /^([^\w\s\\:([{<])\^((?:[\w-]|\\[^\w\s*\\])+)(\.\*\$?|\$?)\1[imnsux]*$/i;

/** Reads a parameter that Matomo excludes: a regular expression, or a name, of which it compares every character. */
export function parseMatomoParam(text: string): Parsed<string> {
  const [, , escaped, end] = anchored.exec(text) ?? [];
  const { parseEntry } = entryGrammars.exclude_params;
  if (escaped !== undefined) return parseEntry(`${escaped.replaceAll("\\", "")}${end === "$" ? "" : "*"}`);
  if (pattern.test(text)) return { ok: false, reason: 'is a regular expression; add names, or prefixes like "utm_*"' };
  const reason = "matches nothing there: * is no wildcard, and names are percent-encoded; add it if you mean it";
  if (/\*$|[^ -~]/.test(text)) return { ok: false, reason };
  const name = text.replace(/(%[\da-f]{2})+/gi, (hex) => Buffer.from(hex.replaceAll("%", ""), "hex").toString());
  return parseEntry(name);
}

/** Reads an address that Matomo excludes. Each `*` is 8 bits of IPv4, or 16 of IPv6, and only `*` can follow it. */
export function parseMatomoIp(text: string): Parsed<string> {
  const isWildcard = /^([^*]*[.:])?\*([.:]\*)*$/.test(text) && (text.includes(":") || text === "*.*.*.*");
  const bits = text.includes(":") ? 128 - 16 * (text.split("*").length - 1) : 0;
  const value = isWildcard ? canonicalizeIpNetwork(`${text.replaceAll("*", "0")}/${bits}`) : undefined;
  return value === undefined ? entryGrammars.exclude_ips.parseEntry(text) : { ok: true, value };
}
