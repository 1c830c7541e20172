import { type IpNetwork, parseIpNetwork } from "@siteward/contract/plain";
import { InvalidVisitError } from "./errors.ts";

/** The entries of `exclude_ips`, as ranges of addresses that follow each other. */
export interface NetworkRule {
  readonly entries: readonly string[];
  /** The keys of the addresses with which ranges begin, in order. */
  readonly starts: readonly string[];
  /** Which entry each range is in, by its place in the list: the first, if several contain it, and -1 if none does. */
  readonly places: readonly number[];
}

/** Compiles `exclude_ips`. @param networks what the entries mean, in the same order */
export function compileNetworks(entries: readonly string[], networks: readonly IpNetwork[]): NetworkRule {
  const bounds = networks.map(boundsOf);
  const starts = [...new Set(bounds.flat())].sort();
  const places = starts.map((start) => bounds.findIndex(([first, end]) => first <= start && start < end));
  return { entries: [...entries], starts, places };
}

/** Finds the entry that contains an address: the first of the website, if several do. */
export function findEntry({ entries, starts, places }: NetworkRule, words: readonly number[]): string | undefined {
  const key = keyOf(words);
  let [range, next] = [-1, starts.length];
  while (next - range > 1) {
    const middle = (range + next) >>> 1;
    if ((starts[middle] ?? "") <= key) range = middle;
    else next = middle;
  }
  return entries[places[range] ?? -1];
}

/** Returns the key of the first address of a network, and one between those of the last one and of the next address. */
function boundsOf({ words, prefix }: IpNetwork): [first: string, end: string] {
  // The division leaves a one for each bit behind the prefix. The operator drops its fraction.
  const last = words.map((word, index) => word | (0xffffffff / 2 ** Math.max(0, prefix - index * 32)));
  return [keyOf(words), `${keyOf(last)}\0`];
}

/** Returns the key of an address. Keys are in the order of addresses, with those of IPv4 before those of IPv6. */
function keyOf(words: readonly number[]): string {
  let key = String.fromCharCode(words.length);
  for (const word of words) key += String.fromCharCode(word >>> 16, word & 0xffff);
  return key;
}

const example = 'send only the address, such as "203.0.113.7" or "2001:db8::1"';

/** The order matters: the message names the first that matches. */
const faults: readonly (readonly [pattern: RegExp, fault: string])[] = [
  [/^$/, `is empty; ${example}, or omit it`],
  [/,/, `contains a comma; ${example}. A list, as in X-Forwarded-For, is of several machines`],
  [/\s/, `contains whitespace; ${example}`],
  [/[[\]]/, `contains a bracket; ${example}`],
  [/%/, "has a zone ID, which is valid on one machine only; send the address without it"],
  [/^[\d.]+:\d+$/, `has a port; ${example}`],
  [/\//, `is a network; ${example}`],
  [/(^|\.|:)0\d+(\.|$)/, "has an octet with a leading zero; send the address without leading zeros"],
];

/** The longest address has 45 characters, and the patterns take longer for longer strings. */
const maxLength = 100;

/**
 * Reads the address of a visitor. IPv4-mapped IPv6 is the IPv4 address.
 *
 * @returns one word for IPv4, four for IPv6
 * @throws InvalidVisitError
 */
export function readAddress(text: string): readonly number[] {
  if (typeof text !== "string") throw new InvalidVisitError("ip", `must be a string; ${example}`);
  if (text.length > maxLength) throw new InvalidVisitError("ip", `has ${text.length} characters; ${example}`);
  const parsed = /[/*]/.test(text) ? undefined : parseIpNetwork(text);
  if (parsed?.ok === true) return parsed.value.words;
  const fault = faults.find(([pattern]) => pattern.test(text))?.[1] ?? `is not an IP address; ${example}`;
  throw new InvalidVisitError("ip", fault);
}
