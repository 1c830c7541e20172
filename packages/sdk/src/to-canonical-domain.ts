import { parseDomain } from "@siteward/contract/plain";
import { InvalidArgumentError } from "./errors/siteward-error.ts";

/**
 * Returns a domain in the form in which the service stores it, to compare it with the domains of records: trimmed, in
 * lowercase ASCII (IDNA), without one trailing dot. It keeps `www.`, which is another host. Sends no request. It
 * accepts what the service accepts, on Node with the same version of Unicode. Deno refuses more, such as `1.א.com`.
 *
 * @param text a host name of at least two labels, without scheme, path, port or wildcard
 * @throws InvalidArgumentError with the reason that the service would give, and what to pass instead
 * @example
 * toCanonicalDomain("Bücher.example"); // "xn--bcher-kva.example"
 */
export function toCanonicalDomain(text: string): string {
  // A program without types may pass anything.
  if (typeof text !== "string") throw new InvalidArgumentError("domain must be a string.");
  const parsed = parseDomain(text);
  if (parsed.ok) return parsed.value;
  // A URL can contain a password, in front of an "@".
  const named = JSON.stringify(text.replace(/.*@/s, "…@").slice(0, 99));
  throw new InvalidArgumentError(`domain ${named} ${parsed.reason}.`);
}
