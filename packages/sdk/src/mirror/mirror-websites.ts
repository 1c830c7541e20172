import type { MirrorClient } from "./follow/mirror-client.ts";
import { type MirrorOptions, resolveMirrorOptions } from "./mirror-options.ts";
import { startMirror } from "./start-mirror.ts";
import type { WebsiteMirror } from "./website-mirror.ts";

/**
 * Keeps all websites of the account in memory, by ID and by domain, and follows their changes. Requires the scope `websites:read`.
 *
 * It starts from its `file`, if there is one, and otherwise reads all websites, 100 for each request. Then it asks every 15 s what
 * has changed, which is one small request if nothing has. While the service is away or refuses the API key, it serves what it knows, and
 * asks again after 1 s, 2 s, 4 s … 5 minutes, or later if the service says so.
 *
 * @param siteward the client, with whose options requests are sent
 * @returns the mirror, as soon as it has all websites: at once from a file, and otherwise after the first complete read. It is
 * tried until it succeeds or the signal aborts, and `onError` is told why it fails.
 * @throws InvalidArgumentError if an option is unknown or not valid; AbortError if the signal aborts before there is a mirror
 * @example
 * const mirror = await mirrorWebsites(siteward, { file: "websites.mirror" });
 * const website = mirror.byDomain("example.com");
 */
export async function mirrorWebsites(siteward: MirrorClient, options: MirrorOptions = {}): Promise<WebsiteMirror> {
  return await startMirror(siteward, resolveMirrorOptions(options));
}
