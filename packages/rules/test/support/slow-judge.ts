import { isIPv4 } from "node:net";
import { isbot } from "isbot";
import type { CountedHosts, RuleSettings, Visit } from "../../src/index.ts";

/** What the slow judge says: the counted URL, or the reason and the entry. */
export type SlowVerdict = { readonly url: string } | { readonly reason: string; readonly rule?: string };

/** Judges a visit of a valid form from scratch, in the most obvious way, which shares nothing with the rules. */
export function judgeSlowly(website: RuleSettings, visit: Visit, hosts: CountedHosts): SlowVerdict {
  if (!isOwnHost(website.domain, new URL(visit.url).hostname.replace(/\.$/, ""), hosts)) {
    return { reason: "host", rule: website.domain };
  }
  const address = visit.ip === undefined ? undefined : readAddress(visit.ip);
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

interface SlowAddress {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

function readAddress(text: string): SlowAddress {
  if (isIPv4(text)) return { bits: 32, value: readIpv4(text) };
  const value = readIpv6(text);
  return value >> 32n === 0xffffn ? { bits: 32, value: value & 0xffffffffn } : { bits: 128, value };
}

function readIpv4(text: string): bigint {
  return BigInt(
    `0x${text
      .split(".")
      .map((octet) => Number(octet).toString(16).padStart(2, "0"))
      .join("")}`,
  );
}

/** A URL parser writes every address in one form. */
function readIpv6(text: string): bigint {
  const [head = "", tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split("::");
  const groups = (part: string | undefined) => (part === undefined || part === "" ? [] : part.split(":"));
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => "0");
  const all = [...groups(head), ...zeros, ...groups(tail)];
  return BigInt(`0x${all.map((group) => group.padStart(4, "0")).join("")}`);
}

function contains(entry: string, address: SlowAddress): boolean {
  const fixed = entry.split(".").filter((octet) => octet !== "*").length;
  const [text = "", prefix] = entry.includes("*") ? [entry.replaceAll("*", "0"), String(fixed * 8)] : entry.split("/");
  const network = readAddress(text);
  const hostBits = BigInt(network.bits - Number(prefix ?? network.bits));
  return network.bits === address.bits && network.value >> hostBits === address.value >> hostBits;
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
