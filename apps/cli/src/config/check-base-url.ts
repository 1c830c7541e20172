import { CliError } from "../errors/cli-error.ts";

/**
 * Checks that a string can be the URL of a service, and returns it without a slash or `/api/v1` at its end, so
 * that the same service always has the same URL.
 *
 * @throws CliError `usage`
 */
export function checkBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Checked first, and the message does not repeat the string, since it may contain a secret.
  if (/^([a-z]+:\/\/)?[^/?#]*@/i.test(text) || url?.search || url?.hash) {
    throw new CliError("usage", "The base URL must not contain a user name, password, query or fragment. Remove it.");
  }
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw new CliError("usage", `"${text}" is not a valid base URL. Use a URL such as "https://siteward.example.com".`);
  }
  return `${url.origin}${url.pathname.replace(/\/*(\/api\/v1)?\/*$/, "")}`;
}
