export type { Website } from "@siteward/contract/types";
export { MirrorError, type MirrorErrorCode } from "./file.ts";
export { type MirrorOptions, mirrorWebsites, type WebsiteMirror } from "./mirror.ts";
export type { MirroredWebsite, WebsiteChange } from "./state.ts";
