import { type IpNetwork, readIpAddress } from "@siteward/contract/plain";
import { InvalidVisitError } from "./errors.ts";

/** The entries of `exclude_ips`, as ranges of addresses that follow each other. */
export interface NetworkRule {
  readonly entries: readonly string[];
  /** The addresses with which ranges begin, in order, those of IPv4 before those of IPv6. */
  readonly starts: readonly Address[];
  /** Which entry each range is in, by its place in the list: the first, if several contain it, and -1 if none does. */
  readonly places: readonly number[];
}

/** One word of 32 bits for IPv4, four for IPv6. */
type Address = readonly number[];

/** Compiles `exclude_ips`. @param networks what the entries mean, in the same order */
export function compileNetworks(entries: readonly string[], networks: readonly IpNetwork[]): NetworkRule {
  const bounds = networks.map(boundsOf);
  const starts = bounds.flat().sort(compareAddresses);
  const places = starts.map((start) =>
    bounds.findIndex(([first, end]) => compareAddresses(first, start) <= 0 && compareAddresses(start, end) < 0),
  );
  return { entries: [...entries], starts, places };
}

/** Finds the entry that contains an address: the first of the website, if several do. */
export function findEntry({ entries, starts, places }: NetworkRule, address: Address): string | undefined {
  let range = -1;
  let next = starts.length;
  while (next - range > 1) {
    const middle = (range + next) >>> 1;
    if (compareAddresses(starts[middle] ?? [], address) <= 0) range = middle;
    else next = middle;
  }
  return entries[places[range] ?? -1];
}

/** Returns the first address of a network, and the one after its last, whose last word may be 2³². */
function boundsOf({ words, prefix }: IpNetwork): [first: Address, end: Address] {
  // The division leaves a one for each bit behind the prefix. The operator drops its fraction.
  const last = words.map((word, index) => (word | (0xffffffff / 2 ** Math.max(0, prefix - index * 32))) >>> 0);
  return [words, last.with(-1, (last.at(-1) ?? 0) + 1)];
}

function compareAddresses(left: Address, right: Address): number {
  for (let index = 0; left.length === right.length && index < left.length; index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
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
  const words = readIpAddress(text);
  if (words !== undefined) return words[0] === 0 && words[1] === 0 && words[2] === 0xffff ? words.slice(3) : words;
  const fault = faults.find(([pattern]) => pattern.test(text))?.[1] ?? `is not an IP address; ${example}`;
  throw new InvalidVisitError("ip", fault);
}
