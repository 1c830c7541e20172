import type { Parsed } from "./parsed.ts";

const maxNameLength = 253;
const maxLabelLength = 63;

/**
 * Reads a domain and gives its canonical form: trimmed, lower-cased, mapped to ASCII by the WHATWG URL rules (IDNA),
 * one trailing dot dropped. `www.` is kept, since it is another host.
 *
 * @returns the canonical domain, or a reason that says what is wrong and what to send instead
 * @example parseDomain("Bücher.example.") // { ok: true, value: "xn--bcher-kva.example" }
 */
export function parseDomain(text: string): Parsed<string> {
  const name = text.trim();
  const foreign = findForeignPart(name);
  if (foreign !== undefined) {
    return { ok: false, reason: `${foreign}; ${suggestHostName(name)}` };
  }
  const ascii = toAscii(name);
  if (ascii === undefined) {
    return { ok: false, reason: 'is not a valid internationalized domain name; send one such as "bücher.example"' };
  }
  const domain = ascii.endsWith(".") ? ascii.slice(0, -1) : ascii;
  const fault = findNameFault(domain);
  return fault === undefined ? { ok: true, value: domain } : { ok: false, reason: fault };
}

/**
 * Maps a search term or host name to ASCII by the WHATWG URL rules.
 *
 * @returns the lower-case ASCII form, or undefined where the rules refuse the text
 */
export function toAscii(text: string): string | undefined {
  if (/^[\w.-]*$/.test(text) && !/xn--/i.test(text)) {
    return text.toLowerCase();
  }
  try {
    return new URL(`http://${text}`).hostname;
  } catch {
    return undefined;
  }
}

/** Names what the text holds beside a host name. It runs before the mapping, which would take such parts for its own. */
function findForeignPart(name: string): string | undefined {
  if (name === "") return "is empty";
  if (hasControlCharacter(name)) return "holds a control character";
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(name) || name.startsWith("//")) return "holds a scheme";
  if (/[/\\?#]/.test(name)) return "holds a path";
  if (name.includes("@")) return "holds user information";
  if (name.includes("*")) return "holds a wildcard";
  if (isIpv6(name)) return "is an IP address";
  if (/:\d*$/.test(name)) return "holds a port";
  if (/\s/.test(name)) return "holds white space";
  if (name.includes("_")) return "holds an underscore";
  const other = /[!-,/:-@[-`{-~]/.exec(name);
  return other === null ? undefined : `holds the character ${JSON.stringify(other[0])}`;
}

function findNameFault(domain: string): string | undefined {
  const labels = domain.split(".");
  const top = labels.at(-1) ?? "";
  if (isIpv4(domain)) return 'is an IP address; send a host name such as "example.com"';
  if (labels.includes(""))
    return 'has an empty label (two dots in a row, or a dot in front); send one such as "example.com"';
  if (domain.length > maxNameLength)
    return `is ${domain.length} characters long in ASCII; send at most ${maxNameLength}`;
  const long = labels.find((label) => label.length > maxLabelLength);
  if (long !== undefined) {
    return `has a label of ${long.length} characters in ASCII ("${long.slice(0, 16)}…"); send labels of at most ${maxLabelLength}`;
  }
  const odd = labels.find((label) => !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label));
  if (odd !== undefined) {
    return `has the label "${odd}"; send labels of letters, digits and inner hyphens only`;
  }
  if (labels.length === 1) return `is a single label; send a full name such as "${domain}.com"`;
  if (/^\d+$/.test(top)) return `ends in a number ("${top}"); send a name whose last label is not numeric`;
  return undefined;
}

/** Tells what to send instead: the host name inside the text where there is a usable one. */
function suggestHostName(name: string): string {
  const candidate = name
    .replace(/^([a-z][a-z0-9+.-]*:)?\/\//i, "")
    .replace(/[/\\?#].*$/s, "")
    .replace(/^.*@/s, "")
    .replace(/:\d*$/, "")
    .replace(/^\*\./, "");
  if (candidate !== name && candidate !== "") {
    const parsed = parseDomain(candidate);
    if (parsed.ok) return `send "${parsed.value}"`;
  }
  return 'send a host name such as "example.com"';
}

function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

function isIpv6(name: string): boolean {
  return name.startsWith("[") || (name.match(/:/g) ?? []).length > 1;
}

/** True for every spelling that a URL parser takes for an IPv4 address, such as 127.1 and 0x7f000001. */
function isIpv4(domain: string): boolean {
  const top = domain.split(".").at(-1) ?? "";
  if (!/^(\d+|0x[0-9a-f]*)$/.test(top)) return false;
  try {
    return /^\d+\.\d+\.\d+\.\d+$/.test(new URL(`http://${domain}`).hostname);
  } catch {
    return false;
  }
}
