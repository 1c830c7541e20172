import type { LoginTarget } from "../config/resolve.ts";

/** Returns what a person needs to know before they paste a key: where it goes, what it replaces and who creates keys. */
export function introduceLogin({ profile, baseUrl, isDefaultUrl, replacedUrl }: LoginTarget): readonly string[] {
  return [
    `Logging in to ${baseUrl}, as profile "${profile}".${isDefaultUrl ? " For another service, pass --base-url." : ""}`,
    ...(replacedUrl === undefined ? [] : [`This replaces the stored key of the profile, which is for ${replacedUrl}.`]),
    "The operator of the service creates keys, with `siteward-server keys create`.",
  ];
}
