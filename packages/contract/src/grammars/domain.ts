import type { Parsed } from "./parsed.ts";
import { toAscii } from "./to-ascii.ts";

const maxNameLength = 253;
const maxLabelLength = 63;

/** The time to map a name grows with the square of its length. Names that map to a short enough one are far shorter than this. */
const maxUnmappedLength = 1000;

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
 * Parses a domain and returns its canonical form: trimmed, in lowercase, mapped to ASCII by the WHATWG URL rules (IDNA), without
 * one trailing dot. It keeps `www.`, which is another host.
 *
 * @returns the canonical domain, or what is wrong with it and what to send instead
 * @example parseDomain("Bücher.example.") // { ok: true, value: "xn--bcher-kva.example" }
 */
export function parseDomain(text: string): Parsed<string> {
  const name = text.trim();
  const foreign = findForeignPart(name);
  if (foreign !== undefined) return { ok: false, reason: `${foreign}; send ${suggestHostName(name)}` };
  return parseHostName(name);
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
  if (candidate === "" || findForeignPart(candidate) !== undefined) return example;
  const parsed = parseHostName(candidate);
  return parsed.ok ? JSON.stringify(parsed.value) : example;
}

function parseHostName(name: string): Parsed<string> {
  if (name.length > maxUnmappedLength) return { ok: false, reason: describeLength(name) };
  const ascii = toAscii(name);
  if (ascii === undefined) {
    return { ok: false, reason: 'is not a valid internationalized domain name; send a name such as "bücher.example"' };
  }
  const domain = ascii.endsWith(".") ? ascii.slice(0, -1) : ascii;
  const fault = findNameFault(domain);
  return fault === undefined ? { ok: true, value: domain } : { ok: false, reason: fault };
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
    return `has a label of ${long.length} characters in ASCII ("${long.slice(0, 16)}…"); send labels of at most ${maxLabelLength} characters`;
  }
  const odd = labels.find((label) => !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label));
  if (odd !== undefined)
    return `has the invalid label "${odd}"; send labels of letters, digits and hyphens, with no hyphen at either end`;
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
