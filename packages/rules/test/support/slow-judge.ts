import { BlockList, isIPv4 } from "node:net";
import { isbot } from "isbot";
import type { CountedHosts, RuleSettings, Visit } from "../../src/index.ts";

/** What the slow judge says: the counted URL, or the reason and the entry. */
export type SlowVerdict = { readonly url: string } | { readonly reason: string; readonly rule?: string };

/** Judges a visit of a valid form from scratch, in the most obvious way, which shares nothing with the rules. */
export function judgeSlowly(website: RuleSettings, visit: Visit, hosts: CountedHosts): SlowVerdict {
  if (!isOwnHost(website.domain, new URL(visit.url).hostname.replace(/\.$/, ""), hosts)) {
    return { reason: "host", rule: website.domain };
  }
  const address = visit.ip === undefined ? undefined : toPlain(visit.ip);
  const entry = address && website.exclude_ips.find((candidate) => contains(candidate, address));
  if (entry !== undefined) return { reason: "ip", rule: entry };
  const userAgent = (visit.userAgent ?? "").slice(0, 512);
  if (website.exclude_bots === 1 && (userAgent === "" || isbot(userAgent))) return { reason: "bot" };
  return { url: removeSlowly(visit.url, website.exclude_params) };
}

function isOwnHost(domain: string, host: string, hosts: CountedHosts): boolean {
  if (hosts === "exact") return host === domain;
  const bare = /^www\.[^.]+$/.test(domain) ? domain : domain.replace(/^www\./, "");
  return host === bare || host === `www.${bare}` || (hosts === "subdomains" && host.endsWith(`.${bare}`));
}

/** An IPv4-mapped address is IPv4. A URL parser writes every address in one form. */
function toPlain(ip: string): string {
  if (isIPv4(ip)) return ip;
  const mapped = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(new URL(`http://[${ip}]`).hostname);
  const groups = mapped?.slice(1).map((group) => Number.parseInt(group, 16));
  return groups?.flatMap((group) => [group >> 8, group & 255]).join(".") ?? ip;
}

function contains(entry: string, address: string): boolean {
  const fixed = entry.split(".").filter((octet) => octet !== "*").length;
  const [text = "", prefix] = entry.includes("*") ? [entry.replaceAll("*", "0"), String(fixed * 8)] : entry.split("/");
  // Node also compares addresses of IPv4 with networks of IPv6.
  if (isIPv4(text) !== isIPv4(address)) return false;
  const [family, bits] = isIPv4(text) ? (["ipv4", 32] as const) : (["ipv6", 128] as const);
  const list = new BlockList();
  list.addSubnet(text, Number(prefix ?? bits), family);
  return list.check(address, family);
}

function removeSlowly(url: string, entries: readonly string[]): string {
  const [, before = "", query, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  if (query === undefined) return url;
  const parts = query.split("&");
  const kept = parts.filter((part) => !isNamed(part.replace(/=.*$/s, ""), entries));
  if (kept.length === parts.length) return url;
  return kept.join("&") === "" ? before + fragment : `${before}?${kept.join("&")}${fragment}`;
}

function isNamed(name: string, entries: readonly string[]): boolean {
  const names = [name];
  try {
    names.push(decodeURIComponent(name.replaceAll("+", " ")));
  } catch {
    // The name is compared as it is.
  }
  return entries.some((entry) =>
    names.some((candidate) => (entry.endsWith("*") ? candidate.startsWith(entry.slice(0, -1)) : candidate === entry)),
  );
}
