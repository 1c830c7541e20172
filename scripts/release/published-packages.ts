/** What `pnpm tarballs` packs, and `pnpm release` publishes. */
export const publishedPackages = [
  "@siteward/contract",
  "@siteward/sdk",
  "@siteward/rules",
  "@siteward/cli",
  "@siteward/server",
  "@siteward/edge",
] as const;
