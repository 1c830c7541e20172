export type { Website } from "@siteward/contract/types";
export { type MirrorOptions, mirrorWebsites } from "./mirror.ts";
export { MirrorError, type MirrorErrorCode } from "./mirror-error.ts";
export type { MirroredWebsite, WebsiteChange } from "./state.ts";
export type { WebsiteMirror } from "./website-mirror.ts";
