export type { Website } from "@siteward/contract/types";
export type {
  MirrorCall,
  MirrorClient,
  MirrorClientOptions,
  MirrorList,
  MirrorQuery,
} from "./follow/mirror-client.ts";
export { MirrorError, type MirrorErrorCode } from "./mirror-error.ts";
export type { MirrorOptions } from "./mirror-options.ts";
export { mirrorWebsites } from "./mirror-websites.ts";
export type { ReceivedPage } from "./state/changes-page.ts";
export type { MirroredWebsite, WebsiteChange } from "./state/mirrored-website.ts";
export type { WebsiteMirror } from "./website-mirror.ts";
