import { isIpv4Mapped, readIpv4, readIpv6 } from "@siteward/contract/website-settings";
import { InvalidVisitError } from "../errors/invalid-visit-error.ts";

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

/**
 * Reads the address of a visitor. IPv4-mapped IPv6 is the IPv4 address.
 *
 * @param words is set to the address: its first word for IPv4, all four for IPv6
 * @returns how many words the address has
 * @throws InvalidVisitError
 */
export function readAddress(text: string, words: Uint32Array): 1 | 4 {
  if (typeof text !== "string") throw new InvalidVisitError("ip", `must be a string; ${example}`);
  const ipv4 = readIpv4(text);
  if (ipv4 !== -1) {
    words[0] = ipv4;
    return 1;
  }
  if (!readIpv6(text, words)) throw new InvalidVisitError("ip", findFault(text));
  if (!isIpv4Mapped(words)) return 4;
  words[0] = words[3] ?? 0;
  return 1;
}

function findFault(text: string): string {
  // The longest address has 45 characters, and the patterns take longer for longer strings.
  if (text.length > 100) return `has ${text.length} characters; ${example}`;
  return faults.find(([pattern]) => pattern.test(text))?.[1] ?? `is not an IP address; ${example}`;
}
