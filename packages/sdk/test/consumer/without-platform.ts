// A strict program whose compiler knows no platform: neither browsers nor Node. built.test.ts only compiles it.
import { type ResponseInfo, Siteward, type SitewardOptions, toCanonicalDomain, type Website } from "@siteward/sdk";
import { type MirroredWebsite, mirrorWebsites } from "@siteward/sdk/mirror";
import { createFakeSiteward } from "@siteward/sdk/testing";
import { toUnicodeDomain } from "@siteward/sdk/unicode";

/** Names the types that contain those of a platform: AbortSignal, Headers, Response and URL. */
export async function run(options: SitewardOptions): Promise<[Website, ResponseInfo, MirroredWebsite | undefined]> {
  const fake = createFakeSiteward();
  const siteward = new Siteward({ ...options, ...fake.clientOptions });
  const domain = toUnicodeDomain(toCanonicalDomain("example.com"));
  const { data, response } = await siteward.websites.create({ domain }).withResponse();
  const mirror = await mirrorWebsites(siteward, { onChange: ({ website }) => website.exclude_ips.length });
  return [data, response, mirror.byId(data.id)];
}
