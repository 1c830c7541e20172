import type { EntryGrammar } from "./entry-list.ts";
import { isIpv4Mapped, readIpv4, readIpv6 } from "./ip-address.ts";
import type { Parsed } from "./parsed.ts";

/**
 * The grammar of `exclude_ips` (docs/interface.md, section 2): IPv4 and IPv6 addresses, networks in CIDR notation (RFC 4632), and
 * IPv4 wildcards such as `203.0.113.*`. In canonical form, the host bits of a network are zero, IPv6 follows RFC 5952, IPv4-mapped
 * IPv6 is IPv4, and a network of one address is that address.
 */
export const excludeIps: EntryGrammar = { maxEntries: 500, parseEntry: parseIpEntry };

/** The addresses that an entry stands for. The host bits are zero, and IPv4-mapped IPv6 is IPv4. */
export interface IpNetwork {
  /** The first address: one word of 32 bits for IPv4, four for IPv6. */
  readonly words: readonly number[];
  /** How many bits all its addresses share. */
  readonly prefix: number;
}

/** More parts than any valid entry has. Splitting an entry of 64 KiB into all its parts took 2 ms. */
const maxParts = 5;

const example = 'send a value such as "203.0.113.7", "203.0.113.0/24", "203.0.113.*" or "2001:db8::/32"';

function parseIpEntry(text: string): Parsed<string> {
  const network = parseIpNetwork(text);
  if (!network.ok) return network;
  // A wildcard is stored as it is sent.
  return { ok: true, value: text.includes("*") ? text : formatNetwork(network.value) };
}

/** Parses an entry of `exclude_ips`, in canonical form or not. */
export function parseIpNetwork(text: string): Parsed<IpNetwork> {
  if (text.includes("*")) return parseWildcard(text);
  const [addressText = "", prefix, ...more] = text.split("/", maxParts);
  if (more.length > 0) return { ok: false, reason: `is not an IP address or network; ${example}` };
  const words = readAddress(addressText);
  if (words === undefined) return { ok: false, reason: findAddressFault(addressText) };
  const maxPrefix = words.length * 32;
  if (prefix === undefined) return { ok: true, value: clearHostBits(words, maxPrefix) };
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > maxPrefix) {
    const shown = JSON.stringify(prefix.slice(0, 8));
    return { ok: false, reason: `has the prefix length ${shown}; send a whole number from 0 to ${maxPrefix}` };
  }
  return { ok: true, value: clearHostBits(words, Number(prefix)) };
}

const ipv6Words = new Uint32Array(4);

/** Returns the words of an address: one for IPv4, four for IPv6. */
function readAddress(text: string): number[] | undefined {
  const ipv4 = readIpv4(text);
  if (ipv4 !== -1) return [ipv4];
  if (!readIpv6(text, ipv6Words)) return undefined;
  // Spreading a typed array takes 1 µs, which was a third of the time to compile the entries of a website.
  const [a = 0, b = 0, c = 0, d = 0] = [ipv6Words[0], ipv6Words[1], ipv6Words[2], ipv6Words[3]];
  return [a, b, c, d];
}

/** Names what programs read in different ways: leading zeros, hexadecimal and short IPv4, zone IDs. */
function findAddressFault(text: string): string {
  if (text.includes("%")) return "has a zone ID, which is valid on one machine only; send the address without it";
  if (/\.0\d|(^|:)0\d+\./.test(text)) {
    return "has an octet with a leading zero, which some programs read as octal; send the address without leading zeros";
  }
  return /^[\d.]+$/.test(text)
    ? `is not an IPv4 address with four octets from 0 to 255; ${example}`
    : `is not an IP address or network; ${example}`;
}

function parseWildcard(text: string): Parsed<IpNetwork> {
  if (text === "*" || text === "*.*.*.*") {
    return { ok: false, reason: 'would match every address; send octets before the "*", such as "203.0.113.*"' };
  }
  const octets = text.split(".", maxParts);
  const fixed = octets.slice(0, octets.indexOf("*"));
  const isWildcard =
    octets.length === 4 && fixed.length > 0 && octets.slice(fixed.length).every((octet) => octet === "*");
  const address = isWildcard ? readIpv4(fixed.join(".") + ".0".repeat(4 - fixed.length)) : -1;
  if (address === -1) {
    return { ok: false, reason: 'is not an IPv4 wildcard; send four octets that end in "*", such as "203.0.113.*"' };
  }
  return { ok: true, value: { words: [address], prefix: fixed.length * 8 } };
}

function clearHostBits(words: readonly number[], prefix: number): IpNetwork {
  const network = words.map((word, index) => (word & maskOfWord(prefix - index * 32)) >>> 0);
  return network.length === 4 && prefix >= 96 && isIpv4Mapped(network)
    ? { words: network.slice(3), prefix: prefix - 96 }
    : { words: network, prefix };
}

function maskOfWord(bits: number): number {
  return bits >= 32 ? 0xffffffff : bits <= 0 ? 0 : 0xffffffff << (32 - bits);
}

function formatNetwork({ words, prefix }: IpNetwork): string {
  const [ipv4 = 0] = words;
  const text = words.length === 1 ? formatIpv4(ipv4) : formatIpv6(words);
  return prefix === words.length * 32 ? text : `${text}/${prefix}`;
}

function formatIpv4(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join(".");
}

/** URL parsers write IPv6 as RFC 5952 says. */
function formatIpv6(words: readonly number[]): string {
  const groups = words.flatMap((word) => [word >>> 16, word & 0xffff]);
  return new URL(`http://[${groups.map((group) => group.toString(16)).join(":")}]`).hostname.slice(1, -1);
}
