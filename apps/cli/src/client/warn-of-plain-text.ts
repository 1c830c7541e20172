import { isLoopback } from "../config/is-loopback.ts";
import { warn } from "../output/notices.ts";
import type { OutputFlags } from "../output/output.ts";
import type { Io } from "../process/io.ts";

/** Warns before the API key is sent to another machine without encryption, unless `SITEWARD_ALLOW_HTTP` is 1. */
export async function warnOfPlainText(io: Io, flags: OutputFlags, baseUrl: string): Promise<void> {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === "https:" || isLoopback(hostname) || io.env["SITEWARD_ALLOW_HTTP"] === "1") return;
  const risk = `${baseUrl} does not use HTTPS. Anyone who can see the traffic can read the API key.`;
  await warn(io, flags, `${risk} Use https://, or set SITEWARD_ALLOW_HTTP=1 if the network is private.`);
}
