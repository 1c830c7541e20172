import { canonicalizeDomain, maxUnmappedLength } from "./canonical-domain.ts";
import { decodeLabel } from "./decode-label.ts";
import { hasHyphenAtEnd } from "./has-hyphen-at-end.ts";
import type { Parsed } from "./parsed.ts";
import { toAscii } from "./to-ascii.ts";

const maxNameLength = 253;
const maxLabelLength = 63;

/** The order matters: the message names the first that matches. */
const foreignParts: readonly { readonly pattern: RegExp; readonly fault: string }[] = [
  { pattern: /^$/, fault: "is empty" },
  { pattern: /\p{Cc}/u, fault: "contains a control character" },
  { pattern: /^([a-z][a-z0-9+.-]*:)?\/\/|^(https?|mailto):/i, fault: "contains a scheme" },
  { pattern: /^[^?#]*[/\\]/, fault: "contains a path" },
  { pattern: /^[^#]*\?/, fault: "contains a query" },
  { pattern: /#/, fault: "contains a fragment" },
  { pattern: /@/, fault: "contains user information" },
  { pattern: /\*/, fault: "contains a wildcard" },
  { pattern: /^\[|^(?=[^:]*:[^:]*:)[\da-f:.]+(%.*)?$/i, fault: "is an IP address" },
  { pattern: /:\d*$/, fault: "contains a port" },
  { pattern: /\s/, fault: "contains whitespace" },
  { pattern: /_/, fault: "contains an underscore" },
];

const example = 'a host name such as "example.com"';

/**
 * Parses a domain and returns its canonical form (`canonicalizeDomain`).
 *
 * @returns the canonical domain, or what is wrong with the string and what to send instead
 * @example parseDomain("Bücher.example.") // { ok: true, value: "xn--bcher-kva.example" }
 */
export function parseDomain(text: string): Parsed<string> {
  const value = canonicalizeDomain(text);
  if (value !== undefined) return { ok: true, value };
  // A test checks that a fault is found in every string that has no canonical form.
  return { ok: false, reason: findDomainFault(text) ?? `is not a domain; send ${example}` };
}

/**
 * Finds what is wrong with a string that is not a domain. It states the rules of `canonicalizeDomain` a second time, one by
 * one, and runs only for a string that those refused.
 *
 * @returns the reason and what to send instead, or undefined for a domain
 */
export function findDomainFault(text: string): string | undefined {
  const name = text.trim();
  const foreign = findForeignPart(name);
  return foreign === undefined ? findHostNameFault(name) : `${foreign}; send ${suggestHostName(name)}`;
}

/** Names what the string contains besides a host name. It runs before the mapping, which would interpret such parts. */
function findForeignPart(name: string): string | undefined {
  const part = foreignParts.find(({ pattern }) => pattern.test(name));
  if (part !== undefined) return part.fault;
  const other = /[!-,/:-@[-`{-~]/.exec(name);
  return other === null ? undefined : `contains the character ${JSON.stringify(other[0])}`;
}

/** Returns what to send instead: the host name in the string, if it contains a valid one. */
function suggestHostName(name: string): string {
  const candidate = name
    .replace(/^([a-z][a-z0-9+.-]*:)?\/\/|^(https?|mailto):/i, "")
    .replace(/[/\\?#].*$/s, "")
    .replace(/^.*@/s, "")
    .replace(/:.*$/s, "")
    .replace(/^(\*\.)+/, "")
    .trim();
  const domain = canonicalizeDomain(candidate);
  return domain === undefined ? example : JSON.stringify(domain);
}

function findHostNameFault(name: string): string | undefined {
  if (name.length > maxUnmappedLength) return describeLength(name);
  const ascii = toAscii(name);
  return ascii === undefined
    ? 'is not a valid internationalized domain name; send a name such as "bücher.example"'
    : findNameFault(ascii.endsWith(".") ? ascii.slice(0, -1) : ascii);
}

function findNameFault(domain: string): string | undefined {
  const labels = domain.split(".");
  if (isIpv4(domain)) return `is an IP address; send ${example}`;
  if (labels.includes("")) {
    return `has an empty label (two dots in a row or a leading dot); send ${example}`;
  }
  if (domain.length > maxNameLength) return describeLength(domain);
  const long = labels.find((label) => label.length > maxLabelLength);
  if (long !== undefined) {
    return (
      `has a label of ${long.length} characters in ASCII ("${long.slice(0, 16)}…"); ` +
      `send labels of at most ${maxLabelLength} characters`
    );
  }
  const odd = labels.find((label) => !/^[a-z0-9-]+$/.test(label) || hasHyphenAtEnd(label));
  if (odd !== undefined) {
    return (
      `has the invalid label "${decodeLabel(odd) ?? odd}"; ` +
      "send labels of letters, digits and hyphens, with no hyphen at either end"
    );
  }
  if (labels.length === 1) return `is a single label; send a full host name such as "example.com"`;
  const top = labels.at(-1) ?? "";
  if (isNumeric(top)) return `ends in the numeric label "${top}"; send a host name whose last label is not a number`;
  return undefined;
}

function describeLength(name: string): string {
  return `is ${name.length} characters long in ASCII; send at most ${maxNameLength} characters`;
}

/** Returns true for every name that a URL parser reads as an IPv4 address, such as 127.1 and 0x7f000001. */
function isIpv4(domain: string): boolean {
  const top = domain.split(".").at(-1) ?? "";
  if (!isNumeric(top)) return false;
  try {
    return /^\d+\.\d+\.\d+\.\d+$/.test(new URL(`http://${domain}`).hostname);
  } catch {
    return false;
  }
}

/** Returns true for a last label with which a URL parser reads the entire host as an IPv4 address. */
function isNumeric(label: string): boolean {
  return /^(\d+|0x[\da-f]*)$/.test(label);
}
