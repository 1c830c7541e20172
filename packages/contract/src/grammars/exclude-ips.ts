import ipaddr from "ipaddr.js";
import type { EntryGrammar } from "./entry-list.ts";
import type { Parsed } from "./parsed.ts";

/**
 * The grammar of `exclude_ips` (docs/interface.md, section 2): IPv4 and IPv6 addresses, networks in CIDR notation (RFC 4632), and
 * IPv4 wildcards such as `203.0.113.*`. In canonical form, the host bits of a network are zero, IPv6 follows RFC 5952, IPv4-mapped
 * IPv6 is IPv4, and a network of one address is that address.
 */
export const excludeIps: EntryGrammar = { maxEntries: 500, parseEntry: parseIpEntry };

/** Four numbers from 0 to 255, without leading zeros. */
const fourOctets = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** More parts than any valid entry has. Splitting an entry of 64 KiB into all its parts took 2 ms. */
const maxParts = 5;

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

const example = 'send a value such as "203.0.113.7", "203.0.113.0/24", "203.0.113.*" or "2001:db8::/32"';

function parseIpEntry(text: string): Parsed<string> {
  if (text.includes("*")) return parseWildcard(text);
  const [addressText = "", prefix, ...more] = text.split("/", maxParts);
  if (more.length > 0) return { ok: false, reason: `is not an IP address or network; ${example}` };
  const address = parseAddress(addressText);
  if (!address.ok) return address;
  const maxPrefix = address.value.kind() === "ipv4" ? 32 : 128;
  if (prefix === undefined) return { ok: true, value: canonicalNetwork(address.value, maxPrefix) };
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > maxPrefix) {
    const shown = JSON.stringify(prefix.slice(0, 8));
    return { ok: false, reason: `has the prefix length ${shown}; send a whole number from 0 to ${maxPrefix}` };
  }
  return { ok: true, value: canonicalNetwork(address.value, Number(prefix)) };
}

/** Refuses what programs read in different ways: leading zeros, hexadecimal and short IPv4, zone IDs. */
function parseAddress(text: string): Parsed<IpAddress> {
  if (text.includes("%")) {
    return { ok: false, reason: "has a zone ID, which is valid on one machine only; send the address without it" };
  }
  if (/\.0\d|(^|:)0\d+\./.test(text)) {
    return {
      ok: false,
      reason:
        "has an octet with a leading zero, which some programs read as octal; send the address without leading zeros",
    };
  }
  if (fourOctets.test(text)) return { ok: true, value: ipaddr.IPv4.parse(text) };
  if (/^[\d.]+$/.test(text)) {
    return { ok: false, reason: `is not an IPv4 address with four octets from 0 to 255; ${example}` };
  }
  if (isIpv6(text)) return { ok: true, value: ipaddr.IPv6.parse(writeDottedTailAsGroups(text)) };
  return { ok: false, reason: `is not an IP address or network; ${example}` };
}

/**
 * URL parsers accept the same IPv6 addresses as the operating system. ipaddr.js decides by an exception that it catches, which takes
 * 25 to 60 µs: checking 500 IPv6 addresses took 30 ms, and takes 3 ms now.
 */
function isIpv6(text: string): boolean {
  return /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`);
}

/** Writes the IPv4 part at the end of an IPv6 address as two groups, because ipaddr.js reads `::1.2.3.4` as the IPv4 address. */
function writeDottedTailAsGroups(text: string): string {
  const tailStart = text.lastIndexOf(":") + 1;
  const tail = text.slice(tailStart);
  if (!fourOctets.test(tail)) return text;
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(tail).octets;
  return `${text.slice(0, tailStart)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

function parseWildcard(text: string): Parsed<string> {
  if (text === "*" || text === "*.*.*.*") {
    return { ok: false, reason: 'would match every address; send octets before the "*", such as "203.0.113.*"' };
  }
  const octets = text.split(".", maxParts);
  const fixed = octets.slice(0, octets.indexOf("*"));
  const isWildcard =
    octets.length === 4 && fixed.length > 0 && octets.slice(fixed.length).every((octet) => octet === "*");
  if (!isWildcard || !fixed.every((octet) => /^(0|[1-9]\d{0,2})$/.test(octet) && Number(octet) <= 255)) {
    return { ok: false, reason: 'is not an IPv4 wildcard; send four octets that end in "*", such as "203.0.113.*"' };
  }
  return { ok: true, value: text };
}

function canonicalNetwork(address: IpAddress, prefix: number): string {
  const bytes = address.toByteArray().map((byte, index) => byte & maskOfByte(prefix - index * 8));
  if (bytes.length === 4) return withPrefix(new ipaddr.IPv4(bytes), prefix, 32);
  if (prefix >= 96 && isIpv4Mapped(bytes)) return withPrefix(new ipaddr.IPv4(bytes.slice(12)), prefix - 96, 32);
  return withPrefix(new ipaddr.IPv6(bytes), prefix, 128);
}

/** Checks for `::ffff:0:0/96` (RFC 4291, section 2.5.5.2). */
function isIpv4Mapped(bytes: readonly number[]): boolean {
  return bytes.slice(0, 12).every((byte, index) => byte === (index < 10 ? 0 : 0xff));
}

function maskOfByte(bits: number): number {
  return bits >= 8 ? 0xff : bits <= 0 ? 0 : (0xff << (8 - bits)) & 0xff;
}

function withPrefix(address: IpAddress, prefix: number, maxPrefix: 32 | 128): string {
  const text = address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString();
  return prefix === maxPrefix ? text : `${text}/${prefix}`;
}
