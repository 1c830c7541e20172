import { parseDomain } from "@siteward/contract/plain";

/**
 * What a list can have around a domain. Only double quotes of typography can be in a domain, and no real one has them.
 */
const foreign = /["'`“”„«»,;/]/;
const quotesAtStart = /^["'`“”„«»]+/;
const quotesAndSeparatorsAtEnd = /["'`“”„«»,;\s]+$/;

/**
 * The user information of a URL can be a secret, so a URL that has some is refused with its reason. A separator after
 * the host can begin a second URL, which must not be lost.
 */
const url = /^https?:\/\/([^/?#@\\]+?)(?::\d*)?(?:[/?#][^\s,;]*)?$/i;

/**
 * The longest URL that browsers and servers commonly accept. The patterns take time that grows with the square of the
 * length.
 */
const maxLength = 2048;

/**
 * Finds the host in what lists of people have instead of a domain: a URL (`https://shop.example/de`), quotes around
 * it, a comma or a semicolon after it, a slash at its end. A path without a scheme can mean a website of its own, so
 * it is no such form.
 *
 * @returns the host in canonical form; undefined if the text is a domain already, or if no host can be recognized
 * @example findHost("https://Shop.example/de") // "shop.example"
 */
export function findHost(text: string): string | undefined {
  if (text.length > maxLength || !foreign.test(text)) return undefined;
  const bare = text.trim().replace(quotesAtStart, "").replace(quotesAndSeparatorsAtEnd, "");
  const host = parseDomain(url.exec(bare)?.[1] ?? bare.replace(/\/$/, ""));
  return host.ok ? host.value : undefined;
}

/**
 * Hides the user information of a URL, which can be a secret: `https://[redacted]@shop.example/`. Hides everything
 * before the last `@`, since a password can contain any character. An e-mail address has no secret and stays.
 */
export function hideUserInformation(text: string): string {
  const end = text.lastIndexOf("@");
  if (end === -1 || !text.slice(0, end).includes(":")) return text;
  const scheme = /^[a-z]+:\/\//i.exec(text)?.[0] ?? "";
  return `${scheme}[redacted]${text.slice(end)}`;
}
