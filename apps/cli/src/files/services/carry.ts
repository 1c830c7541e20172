import { canonicalizeDomain, entryGrammars, parseDomain } from "@siteward/contract/plain";
import { splitEntries } from "../../websites/field-reading.ts";
import type { ListName } from "../../websites/settings.ts";
import type { Place } from "../entry.ts";
import { isObject, type Row } from "../rows.ts";
import { findHost, hideUserInformation } from "../stated-domain.ts";
import type { Note, Service } from "./service.ts";

/** A site of another service as a website, or another address of that site. The domain is the host, or its URL. */
export interface Carried {
  readonly place: Place;
  readonly domain: string;
  readonly host: string;
  readonly isAlias: boolean;
  readonly settings: Readonly<Record<ListName, readonly string[]>> & { privacy: string; exclude_bots: boolean };
}

type Get = (field?: string) => unknown;
const notImported = "These values are not imported:";

/** Returns the websites that a site becomes, one for each host of its addresses; none if it has no host. */
export function carry(place: Place, get: Get, service: Service, note: Note): readonly Carried[] {
  const { names, others = [] } = service;
  const addresses = addressesOf(get, service);
  const domain = addresses.find(hostOf) ?? "";
  const host = hostOf(domain);
  if (host === undefined) return [];
  const bots = get(names.exclude_bots);
  const settings = {
    privacy: readPrivacy(get, names, (kind) => note(kind, host)),
    exclude_bots: bots === undefined || (hasValue(bots) && bots !== "off"),
    exclude_ips: readEntries("exclude_ips", host, get, service, note),
    exclude_params: readEntries("exclude_params", host, get, service, note),
  };
  for (const name of others) {
    const [field, value] = [name.replace("!", ""), get(name)];
    const kind = "These settings are not imported. Keep them there, or in your collector:";
    if (field === name ? hasValue(value) : value === false) note(kind, `${host}: ${field}`, textsOf(value).join(","));
  }
  const aliases = readAliases(host, addresses, note).map((alias) => ({ domain: alias, host: alias, isAlias: true }));
  return [{ domain, host, isAlias: false }, ...aliases].map((website) => ({ place, ...website, settings }));
}

/** What is empty, zero or false loses nothing. The text of an object of a stranger can be an error. */
export function hasValue(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return [value].flat().length > 0;
  return !/^(|0|f|false)$/i.test(String(value ?? ""));
}

function readPrivacy(get: Get, { password, shared }: Service["names"], note: (kind: string) => void): string {
  const level = get("public");
  if (hasValue(get(password))) note("A password opens these statistics. They become private. Set one again:");
  else if (level === true || /^(t|true|1|public)$/i.test(textsOf(level).join())) return "public";
  else if (hasValue(get(shared)) || level === "secret")
    note("Whoever has a link sees these statistics. They become private, unless you make them public:");
  return "private";
}

/** Returns the addresses of a site: a host, if one says nothing more; else a URL, which is read as its host. */
export function addressesOf(get: Get, { addresses, hasPaths }: Service): readonly string[] {
  const texts = addresses.flatMap((name) => textsOf(get(name))).map((text) => text.trim());
  return texts.map((text) => {
    const url = URL.parse(text.includes("://") ? text : `https://${text}`);
    if (hasPaths || url === null || !url.protocol.startsWith("http") || /[\s,;@]/.test(text)) return text;
    const isHost = url.href === `${url.protocol}//${url.hostname}/` || findHost(url.href) === undefined;
    return isHost ? url.hostname : url.href;
  });
}

const hostOf = (address: string): string | undefined => canonicalizeDomain(address) ?? findHost(address);

/** Returns the other hosts of a site. With and without `www.`, a host belongs to the same website. */
function readAliases(host: string, addresses: readonly string[], note: Note): readonly string[] {
  const aliases = new Set<string>();
  for (const address of addresses) {
    const parsed = parseDomain(hostOf(address) ?? address);
    if (!parsed.ok) note(notImported, host, JSON.stringify(hideUserInformation(address)), parsed.reason);
    else if (parsed.value !== host) aliases.add(parsed.value);
  }
  const become = "Other addresses become websites like their site, unless they have a site or differ only in www.:";
  for (const alias of aliases) note(become, host, alias);
  return [...aliases].filter((alias) => alias.replace(/^www\./, "") !== host.replace(/^www\./, ""));
}

/** Returns the entries that are valid here, and names all others, so that they do not refuse the website. */
function readEntries(list: ListName, host: string, get: Get, service: Service, note: Note): readonly string[] {
  const { names, parseEntry, comparesParams = "" } = service;
  const line = `${host}: ${names[list]}`;
  const entries = new Set<string>();
  for (const text of textsOf(get(names[list])).flatMap(splitEntries)) {
    const parsed = (parseEntry?.[list] ?? entryGrammars[list].parseEntry)(text);
    const kind = parsed.ok ? "These values are imported, and mean something else here:" : notImported;
    const advice = parsed.ok ? findDifference(text, parsed.value) : parsed.reason;
    if (advice !== "") note(kind, line, JSON.stringify(text.slice(0, 60)), advice);
    if (parsed.ok) entries.add(parsed.value);
    if (parsed.ok && list === "exclude_params" && comparesParams !== "") note(comparesParams, line, parsed.value);
  }
  return [...entries];
}

/** Where one socket serves both, IPv6 contains IPv4 as ::ffff:0:0/96, and some networks contain that. */
function findDifference(text: string, value: string): string {
  if (text.includes(":") && !value.includes(":")) return `is ${value} here, also for visitors with IPv4`;
  const isWide = /^::(\/|[8c-f][\da-f]{3}:0:0\/)/.test(value);
  return isWide ? 'contains no IPv4 address here; add "0.0.0.0/0" if it should' : "";
}

/** Returns the strings in a field, or the addresses that rules of Plausible deny. */
function textsOf(value: unknown): readonly string[] {
  const items = [value].flat().map((item) => (isObject(item) && item["action"] !== "allow" ? item["inet"] : item));
  return items.filter((item) => typeof item === "string");
}

/**
 * Joins the sites of one host, which can only be one website, and names what differs. The other address of a site that
 * has a site of its own has the settings of that one.
 */
export function joinHosts(sites: readonly Carried[], note: Note): readonly Row[] {
  return [...Map.groupBy(sites, ({ host }) => host)].flatMap(([host, all]) => {
    const areAliases = all.every(({ isAlias }) => isAlias);
    const own = all.filter(({ isAlias }) => isAlias === areAliases);
    const kind = "Sites of one host become one website: private if one is, with all entries. They differ in:";
    const differ = (field: string, value?: string): void => note(kind, `${host}: ${field}`, value);
    const isSame = (field: "privacy" | "exclude_bots") => new Set(own.map((site) => site.settings[field])).size === 1;
    for (const field of ["privacy", "exclude_bots"] as const) if (!isSame(field)) differ(field);
    const joinList = (list: ListName): readonly string[] => {
      const { maxEntries } = entryGrammars[list];
      const sets = own.map(({ settings }) => new Set(settings[list]));
      const entries = [...new Set(sets.flatMap((set) => [...set]))];
      for (const entry of entries) if (sets.some((set) => !set.has(entry))) differ(list, entry);
      const advice = `exceeds the ${maxEntries} entries of a website; join some to prefixes or networks`;
      for (const entry of entries.slice(maxEntries)) note(notImported, `${host}: ${list}`, `"${entry}"`, advice);
      return entries.slice(0, maxEntries);
    };
    const fields = {
      privacy: own.every(({ settings }) => settings.privacy === "public") ? "public" : "private",
      exclude_bots: own.some(({ settings }) => settings.exclude_bots),
      exclude_ips: joinList("exclude_ips"),
      exclude_params: joinList("exclude_params"),
    };
    return own.map(({ place, domain }) => ({ place, fields: { domain, ...fields } }));
  });
}
