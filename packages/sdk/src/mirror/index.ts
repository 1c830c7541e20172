export type { Website } from "@siteward/contract/types";
export { MirrorError, type MirrorErrorCode } from "./file.ts";
export { type MirrorOptions, mirrorWebsites } from "./mirror.ts";
export type { MirroredWebsite, WebsiteChange } from "./state.ts";
export type { WebsiteMirror } from "./website-mirror.ts";
