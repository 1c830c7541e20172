import type { Parsed } from "./entry-list.ts";
import { maxUnmappedLength, toAscii } from "./to-ascii.ts";
import { decodeLabel, hasHyphenAtEnd } from "./unicode.ts";

/** The largest number of characters of a domain. */
export const maxDomainLength = 253;
const maxLabelLength = 63;

/**
 * At most 253 characters: at least two labels of 1 to 63 letters, digits and hyphens, with no hyphen at either end. URL parsers
 * read a name whose last label is a number as an IPv4 address.
 */
const hostName = /^(?!.{254})([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+(?!(\d+|0x[\da-f]*)$)[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/;

/**
 * Returns the canonical form of a domain: trimmed, in lowercase, mapped to ASCII by the WHATWG URL rules (IDNA), without one
 * trailing dot. It keeps `www.`, which is another host. `parseDomain` says what is wrong with a string that is refused.
 *
 * @returns the canonical domain, or undefined if the string is not a domain
 * @example canonicalizeDomain("Bücher.example.") // "xn--bcher-kva.example"
 */
export function canonicalizeDomain(text: string): string | undefined {
  const name = text.trim();
  // The mapping removes one kind of whitespace, U+FEFF, instead of refusing it.
  if (/\s/.test(name)) return undefined;
  const domain = toAscii(name)?.replace(/\.$/, "") ?? "";
  return hostName.test(domain) && !domain.split(".").some(hasHyphenAtEnd) ? domain : undefined;
}

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

/** The order matters: the message names the first that matches. */
const foreignParts: readonly (readonly [pattern: RegExp, fault: string])[] = [
  [/^$/, "is empty"],
  [/\p{Cc}/u, "contains a control character"],
  [/^([a-z][a-z0-9+.-]*:)?\/\/|^(https?|mailto):/i, "contains a scheme"],
  [/^[^?#]*[/\\]/, "contains a path"],
  [/^[^#]*\?/, "contains a query"],
  [/#/, "contains a fragment"],
  [/@/, "contains user information"],
  [/\*/, "contains a wildcard"],
  [/^\[|^(?=[^:]*:[^:]*:)[\da-f:.]+(%.*)?$/i, "is an IP address"],
  [/:\d*$/, "contains a port"],
  [/\s/, "contains whitespace"],
  [/_/, "contains an underscore"],
];

const example = 'a host name such as "example.com"';

/**
 * Finds what is wrong with a string that is not a domain. It states the rules of `canonicalizeDomain` a second time, one by
 * one, and runs only for a string that those refused.
 *
 * @returns the reason and what to send instead, or undefined for a domain
 */
export function findDomainFault(text: string): string | undefined {
  const name = text.trim();
  // These come before the mapping, which would interpret such parts.
  const fault = foreignParts.find(([pattern]) => pattern.test(name))?.[1];
  if (fault !== undefined) return `${fault}; send ${suggestHostName(name)}`;
  const [other] = /[!-,/:-@[-`{-~]/.exec(name) ?? [];
  if (other !== undefined) return `contains the character ${JSON.stringify(other)}; send ${suggestHostName(name)}`;
  if (name.length > maxUnmappedLength) return describeLength(name);
  const ascii = toAscii(name)?.replace(/\.$/, "");
  if (ascii === undefined) {
    return 'is not a valid internationalized domain name; send a name such as "bücher.example"';
  }
  return findNameFault(ascii);
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

function findNameFault(domain: string): string | undefined {
  const labels = domain.split(".");
  const top = labels.at(-1) ?? "";
  // With such a last label, URL parsers read the name as an IPv4 address, such as 127.1 and 0x7f000001, or refuse it.
  const isNumeric = /^(\d+|0x[\da-f]*)$/.test(top);
  if (isNumeric && URL.canParse(`http://${domain}`)) return `is an IP address; send ${example}`;
  if (labels.includes("")) return `has an empty label (two dots in a row or a leading dot); send ${example}`;
  if (domain.length > maxDomainLength) return describeLength(domain);
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
  if (labels.length === 1) return 'is a single label; send a full host name such as "example.com"';
  return isNumeric
    ? `ends in the numeric label "${top}"; send a host name whose last label is not a number`
    : undefined;
}

function describeLength(name: string): string {
  return `is ${name.length} characters long in ASCII; send at most ${maxDomainLength} characters`;
}
