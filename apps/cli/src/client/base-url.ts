import { warn } from "../output/notices.ts";
import { CliError } from "../process/cli-error.ts";
import type { Io } from "../process/io.ts";

/**
 * Checks that a string can be the URL of a service, and returns it without a slash or `/api/v1` at its end, so
 * that the same service always has the same URL. No message repeats the string, since it may contain a secret.
 *
 * @throws CliError `usage`
 */
export function checkBaseUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol))
    throw new CliError("usage", 'The base URL is not valid. Use a URL such as "https://siteward.example.com".');
  const { origin, pathname, username, password, search, hash } = url;
  if (`${username}${password}${search}${hash}` !== "")
    throw new CliError("usage", "The base URL must not contain a user name, password, query or fragment. Remove it.");
  return `${origin}${pathname.replace(/\/*(\/api\/v1)?\/*$/, "")}`;
}

/** Warns before the API key is sent to another machine without encryption, unless `SITEWARD_ALLOW_HTTP` is 1. */
export async function warnOfPlainText(io: Io, baseUrl: string): Promise<void> {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === "https:" || isLoopback(hostname) || io.env["SITEWARD_ALLOW_HTTP"] === "1") return;
  const risk = `${baseUrl} does not use HTTPS. Anyone who can see the traffic can read the API key.`;
  await warn(io, `${risk} Use https://, or set SITEWARD_ALLOW_HTTP=1 if the network is private.`);
}

/** Whether a host of a URL is this machine, so that what is sent to it never leaves the machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
