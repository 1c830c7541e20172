import { parseDomain } from "@siteward/contract/plain";
import { InvalidSettingError, InvalidVisitError } from "./errors.ts";
import type { CountedHosts } from "./rules.ts";

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

/** Describes the hosts that belong to a website, as the end of a sentence. */
export function describeHosts({ base, hosts }: HostRule): string {
  if (hosts === "exact") return base;
  return hosts === "www" ? `${base} or www.${base}` : `${base} or one of its subdomains`;
}

/** Returns the host of a page that does not belong to the website, or undefined. @throws InvalidVisitError */
export function findForeignHost(rule: HostRule, url: string): string | undefined {
  const authority = readAuthority(url);
  // Most URLs contain the host as it is stored. Parsing each of them takes longer than all the rest of a judgement.
  if (isOwnHost(rule, authority)) return undefined;
  const host = parseHost(authority);
  if (isOwnHost(rule, host) || (rule.hosts === "subdomains" && host.endsWith(`.${rule.base}`))) return undefined;
  return host;
}

/** Whether a text is the URL of a page of the website. */
export function isOfWebsite(rule: HostRule, text: string): boolean {
  try {
    checkUrl(text);
    return findForeignHost(rule, text) === undefined;
  } catch {
    return false;
  }
}

function isOwnHost({ base, hosts }: HostRule, host: string): boolean {
  if (host.length === base.length || hosts === "exact") return host === base;
  return host.length === base.length + 4 && host.startsWith("www.") && host.endsWith(base);
}

const example = 'send the entire URL of the page, such as "https://example.com/pricing"';
/** Longer than any name with user information and a port. Parsing takes the square of a name's length. */
const maxAuthorityLength = 2000;
/** URL parsers remove some of these characters, and browsers encode all of them. */
const removed = /[^!-~\x80-\uffff]/;

/** Checks that the URL is a string that URL parsers do not change by removing characters. @throws InvalidVisitError */
export function checkUrl(url: unknown): asserts url is string {
  if (url === undefined) throw new InvalidVisitError("url", `is missing; ${example}`);
  if (typeof url !== "string") throw new InvalidVisitError("url", `must be a string; ${example}`);
  if (!removed.test(url)) return;
  const advice = "send it percent-encoded, as location.href";
  throw new InvalidVisitError("url", `contains a space or a control character; ${advice}`);
}

/** Returns the host of a page as it is in the URL, with the port and the name of a user. @throws InvalidVisitError */
function readAuthority(url: string): string {
  const authority = /^https?:\/\/([^/\\?#]*)/i.exec(url)?.[1];
  if (authority === undefined) throw new InvalidVisitError("url", findFault(url));
  if (authority === "") throw new InvalidVisitError("url", `has no host; ${example}`);
  if (authority.length <= maxAuthorityLength) return authority;
  throw new InvalidVisitError("url", `has a host that is too long; ${example}`);
}

function findFault(url: string): string {
  if (url === "") return `is empty; ${example}`;
  if (/^https?:/i.test(url)) return `has no "//" behind its scheme; ${example}`;
  // What is before a colon can be a host, as in "localhost:3000", or a secret.
  return /^[a-z][a-z\d+.-]*:\/\//i.test(url)
    ? `has a scheme other than "https" and "http"; ${example}`
    : `is not absolute; ${example}`;
}

/** Returns the host in lowercase, in ASCII, without a port and a trailing dot. @throws InvalidVisitError */
function parseHost(authority: string): string {
  try {
    return new URL(`https://${authority}`).hostname.replace(/\.$/, "");
  } catch {
    throw new InvalidVisitError("url", `has a host or a port that is not valid; ${example}`);
  }
}
