import { warn } from "../output/notices.ts";
import type { OutputFlags } from "../output/output.ts";
import { CliError } from "../process/cli-error.ts";
import type { Io } from "../process/io.ts";

/**
 * Checks that a string can be the URL of a service, and returns it without a slash or `/api/v1` at its end, so
 * that the same service always has the same URL.
 *
 * @throws CliError `usage`
 */
export function checkBaseUrl(text: string): string {
  const url = URL.parse(text);
  const completed = url?.host ? null : withScheme(text);
  // Checked first, and the message does not repeat the string, since it may contain a secret.
  if (/^([a-z]+:\/\/)?[^/?#]*@/i.test(text) || [url, completed].some((each) => each?.search || each?.hash)) {
    throw new CliError("usage", "The base URL must not contain a user name, password, query or fragment. Remove it.");
  }
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    const advice =
      completed === null ? 'Use a URL such as "https://siteward.example.com".' : `Use "${format(completed)}".`;
    throw new CliError("usage", `"${text}" is not a valid base URL. ${advice}`);
  }
  return format(url);
}

/** Returns the URL that a host without a scheme stands for, if it is one. Only this machine is reached without encryption. */
function withScheme(text: string): URL | null {
  if (!/^[\p{L}\p{N}[]/u.test(text) || /^\w+:?\/\//.test(text)) return null;
  const plain = URL.parse(`http://${text}`);
  return plain !== null && isLoopback(plain.hostname) ? plain : URL.parse(`https://${text}`);
}

function format({ origin, pathname }: URL): string {
  return `${origin}${pathname.replace(/\/*(\/api\/v1)?\/*$/, "")}`;
}

/** Warns before the API key is sent to another machine without encryption, unless `SITEWARD_ALLOW_HTTP` is 1. */
export async function warnOfPlainText(io: Io, flags: OutputFlags, baseUrl: string): Promise<void> {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === "https:" || isLoopback(hostname) || io.env["SITEWARD_ALLOW_HTTP"] === "1") return;
  const risk = `${baseUrl} does not use HTTPS. Anyone who can see the traffic can read the API key.`;
  await warn(io, flags, `${risk} Use https://, or set SITEWARD_ALLOW_HTTP=1 if the network is private.`);
}

/** Whether a host of a URL is this machine, so that what is sent to it never leaves the machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
