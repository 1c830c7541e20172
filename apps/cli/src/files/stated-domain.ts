import { parseDomain } from "@siteward/contract/plain";

/** The longest URL that browsers and servers commonly accept. */
const maxLength = 2048;

/**
 * Returns the host of a URL, or of a domain property of Google's Search Console, that is stated instead of a domain. A
 * URL with user information is none, since that can be a secret, nor is one with a separator, which can begin a second
 * URL.
 *
 * @returns undefined if the text is no such URL: a path without a scheme can mean a website of its own
 * @example findHost("https://Shop.example/de"), findHost("sc-domain:shop.example") // "shop.example"
 */
export function findHost(text: string): string | undefined {
  if (text.length > maxLength || !/^(https?:\/\/|sc-domain:)[^\s,;]+$/i.test(text)) return undefined;
  const url = URL.parse(text.replace(/^sc-domain:(?=[^/]+$)/i, "https://"));
  if (url === null || `${url.username}${url.password}` !== "") return undefined;
  const host = parseDomain(url.hostname);
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
