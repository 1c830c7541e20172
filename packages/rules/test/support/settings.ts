import type { RuleSettings, Visit } from "../../src/index.ts";

/** The settings of a website that excludes nothing but other hosts. */
export const settings: RuleSettings = { domain: "example.com", exclude_bots: 0, exclude_params: [], exclude_ips: [] };

/** A visit of a person. */
export const visitor: Visit = {
  url: "https://example.com/",
  ip: "198.51.100.7",
  userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
};
