import { InvalidVisitError } from "../errors/invalid-visit-error.ts";

const example = 'send the entire URL of the page, such as "https://example.com/pricing"';
/** Longer than any name with user information and a port. URL parsers take a time that grows with the square of a name's length. */
const maxAuthorityLength = 2000;

/**
 * Returns the host of a page as URL parsers write it: in lowercase, in ASCII, without a port. A trailing dot is removed.
 *
 * @throws InvalidVisitError
 */
export function readHost(url: string): string {
  const [, authority] = /^https?:\/\/([^/\\?#]*)/i.exec(url) ?? [];
  if (authority === undefined) throw new InvalidVisitError("url", findFault(url));
  if (authority === "") throw new InvalidVisitError("url", `has no host; ${example}`);
  if (authority.length > maxAuthorityLength)
    throw new InvalidVisitError("url", `has a host that is too long; ${example}`);
  try {
    return new URL(`https://${authority}`).hostname.replace(/\.$/, "");
  } catch {
    throw new InvalidVisitError("url", `has a host or a port that is not valid; ${example}`);
  }
}

function findFault(url: string): string {
  if (url === "") return `is empty; ${example}`;
  if (/^https?:/i.test(url)) return `has no "//" behind its scheme; ${example}`;
  // What is before a colon can be a host, as in "localhost:3000", or a secret.
  return /^[a-z][a-z\d+.-]*:\/\//i.test(url)
    ? `has a scheme other than "https" and "http"; ${example}`
    : `is not absolute; ${example}`;
}

/** Checks that the URL is a string that URL parsers do not change by removing characters. @throws InvalidVisitError */
export function checkUrl(url: unknown): asserts url is string {
  if (url === undefined) throw new InvalidVisitError("url", `is missing; ${example}`);
  if (typeof url !== "string") throw new InvalidVisitError("url", `must be a string; ${example}`);
  if (removed.test(url)) {
    throw new InvalidVisitError(
      "url",
      "contains a space or a control character; send it percent-encoded, as location.href",
    );
  }
}

/** URL parsers remove some of them, and browsers encode all of them. */
const removed = /[^!-~\x80-\uffff]/;
