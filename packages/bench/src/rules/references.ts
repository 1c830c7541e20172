import { BlockList, isIPv4 } from "node:net";
import type { RuleSettings, Visit } from "@siteward/rules";
import { isbot } from "isbot";

/** Judges a visit: returns the URL to count, or undefined. */
export type Judge = (visit: Visit) => string | undefined;

/** What a collector would write with what Node has: `net.BlockList`, `URL` and `Set`. */
export function compileWithNode(website: RuleSettings): Judge {
  const list = compileBlockList(website.exclude_ips);
  const names = new Set(website.exclude_params.filter((entry) => !entry.endsWith("*")));
  const prefixes = website.exclude_params.filter((entry) => entry.endsWith("*")).map((entry) => entry.slice(0, -1));
  return ({ url, ip = "", userAgent }) => {
    const page = new URL(url);
    if (page.hostname !== website.domain || list.check(ip, familyOf(ip)) || isbot(userAgent)) return undefined;
    for (const name of [...page.searchParams.keys()]) {
      if (names.has(name) || prefixes.some((prefix) => name.startsWith(prefix))) page.searchParams.delete(name);
    }
    return page.href;
  };
}

/** Returns the list for all entries of a website. */
export function compileBlockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) addEntry(list, entry);
  return list;
}

/** What collectors do that compile nothing: each entry is read for each visit. */
export function loopOverEntries(website: RuleSettings): Judge {
  return ({ url, ip = "", userAgent }) => {
    const page = new URL(url);
    if (page.hostname !== website.domain || isbot(userAgent)) return undefined;
    if (website.exclude_ips.some((entry) => compileBlockList([entry]).check(ip, familyOf(ip)))) return undefined;
    for (const name of [...page.searchParams.keys()]) {
      if (website.exclude_params.some((entry) => isNamed(name, entry))) page.searchParams.delete(name);
    }
    return page.href;
  };
}

function isNamed(name: string, entry: string): boolean {
  return entry.endsWith("*") ? name.startsWith(entry.slice(0, -1)) : name === entry;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv4(address) ? "ipv4" : "ipv6";
}

function addEntry(list: BlockList, entry: string): void {
  const [address = "", prefix] = entry.includes("*") ? [entry.replace("*", "0"), "24"] : entry.split("/");
  const family = familyOf(address);
  if (prefix === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(prefix), family);
}
