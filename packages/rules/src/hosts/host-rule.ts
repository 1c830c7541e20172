import { parseDomain } from "@siteward/contract/website-settings";
import { InvalidSettingError } from "../errors/invalid-setting-error.ts";
import type { CountedHosts } from "../rules.ts";
import { readHost } from "./read-host.ts";

/** Which hosts belong to a website. */
export interface HostRule {
  readonly domain: string;
  /** The domain without `www.`, or the domain itself if only that one belongs to the website. */
  readonly base: string;
  readonly hosts: CountedHosts;
}

const knownHosts: readonly unknown[] = ["exact", "www", "subdomains"] satisfies CountedHosts[];

/** @throws InvalidSettingError */
export function compileHostRule(domain: string, hosts: CountedHosts): HostRule {
  if (!knownHosts.includes(hosts)) {
    throw new InvalidSettingError("hosts", 'is unknown; pass "exact", "www" or "subdomains"');
  }
  if (typeof domain !== "string") throw new InvalidSettingError("domain", "must be a string");
  const parsed = parseDomain(domain);
  if (!parsed.ok) throw new InvalidSettingError("domain", parsed.reason);
  return { domain: parsed.value, base: hosts === "exact" ? parsed.value : removeWww(parsed.value), hosts };
}

/** A domain such as `www.com` stays as it is. */
function removeWww(domain: string): string {
  return /^www\..*\./.test(domain) ? domain.slice(4) : domain;
}

/** Returns the host of a page that does not belong to the website, or undefined. @throws InvalidVisitError */
export function findForeignHost(rule: HostRule, url: string): string | undefined {
  // Most URLs contain the host as it is stored. Parsing each of them takes longer than all the rest of a judgement.
  if (hasPlainHost(rule, url)) return undefined;
  const host = readHost(url);
  return isCounted(rule, host) ? undefined : host;
}

function hasPlainHost({ base, hosts }: HostRule, url: string): boolean {
  const start = url.startsWith("https://") ? 8 : url.startsWith("http://") ? 7 : 0;
  if (start === 0) return false;
  const baseStart =
    hosts !== "exact" && url.startsWith("www.", start) && !url.startsWith(base, start) ? start + 4 : start;
  return url.startsWith(base, baseStart) && isEndOfHost(url, baseStart + base.length);
}

/** Checks for the end, "/", "?" or "#". With a colon, the name could be that of a user. */
function isEndOfHost(url: string, index: number): boolean {
  const code = url.charCodeAt(index);
  return index === url.length || code === 0x2f || code === 0x3f || code === 0x23;
}

function isCounted({ base, hosts }: HostRule, host: string): boolean {
  if (host === base) return true;
  if (hosts === "exact") return false;
  return host === `www.${base}` || (hosts === "subdomains" && host.endsWith(`.${base}`));
}

/** Describes the hosts that belong to a website, as the end of a sentence. */
export function describeHosts({ base, hosts }: HostRule): string {
  if (hosts === "exact") return base;
  return hosts === "www" ? `${base} or www.${base}` : `${base} or one of its subdomains`;
}
