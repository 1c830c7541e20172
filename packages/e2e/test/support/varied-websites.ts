import type { CreateWebsite } from "@siteward/sdk";

/** The longest domain that is valid: 253 characters. */
export const longestDomain = ["a", "b", "c"].map((letter) => `${letter.repeat(63)}.`).join("") + "d".repeat(61);

/** Websites that are hard to show: long, wide, combining and many values. */
export const variedWebsites: readonly CreateWebsite[] = [
  { domain: "example.com" },
  { domain: longestDomain },
  { domain: "bücher.example" },
  { domain: "例え.テスト" },
  { domain: "हिन्दी.भारत" },
  { domain: "한국어.한국" },
  { domain: "xn--pple-43d.com" },
  { domain: "protected.example", privacy: 2, password: "correct horse", email: 1 },
  {
    domain: "lists.example",
    privacy: 1,
    exclude_bots: 0,
    exclude_params: ["utm_*", "ref", "x".repeat(128)],
    exclude_ips: Array.from({ length: 30 }, (_, index) => `2001:db8:1111:2222:3333:4444:5555:${index + 1}`),
  },
];
