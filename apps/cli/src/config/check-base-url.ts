import { CliError } from "../errors/cli-error.ts";

/**
 * Holds that a text can be the address of a service, and drops the slash at its end.
 *
 * @throws CliError `usage`
 */
export function checkBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // First, and without repeating the text, which then holds a secret.
  if (/^([a-z]+:\/\/)?[^/?#]*@/i.test(text) || url?.search || url?.hash) {
    throw new CliError("usage", "a base URL must not contain a user name, password, query or fragment");
  }
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw new CliError("usage", `"${text}" is not a valid base URL; use one such as https://siteward.example.com`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}
