import { openMatomo, parseMatomoIp, parseMatomoParam } from "./matomo.ts";
import type { Service } from "./service.ts";

/** Every service whose sites can be imported. docs/cli-files.md has the commands that fetch the answers. */
export const services = {
  plausible: {
    title: "Plausible",
    ownFields: ["sites", "timezone", "public", "custom_properties", "stats_start_date", "shield_rules_ip"],
    list: "sites",
    addresses: ["domain"],
    hasPaths: true,
    names: { exclude_ips: "shield_rules_ip" },
    unsaid: ["public sites, in answers of the API; shared links; blocked countries, pages and hosts"],
  },
  matomo: {
    title: "Matomo",
    ownFields: ["idsite", "main_url", "excluded_ips", "excluded_parameters", "ts_created", "sitesearch"],
    addresses: ["main_url", "alias_urls"],
    names: { exclude_ips: "excluded_ips", exclude_params: "excluded_parameters" },
    others: ["excluded_user_agents", "excluded_referrers", "exclude_unknown_urls"],
    unsaid: ["user agents and referrers of all sites; parameters of its configuration, such as sid, gclid, utm_source"],
    parseEntry: { exclude_ips: parseMatomoIp, exclude_params: parseMatomoParam },
    comparesParams: "Matomo removes these in any case, and name[] as name. Add the spellings that pages use:",
    open: openMatomo,
  },
  umami: {
    title: "Umami",
    ownFields: ["shareId", "teamId", "userId", "resetAt", "createdBy", "deletedAt"],
    list: "data",
    addresses: ["domain"],
    names: { shared: "shareId" },
    unsaid: ["IGNORE_IP and other settings for all websites; data-exclude-search in its script"],
  },
  goatcounter: {
    title: "GoatCounter",
    ownFields: ["cname", "link_domain", "setttings", "user_defaults", "received_data", "first_hit_at"],
    list: "sites",
    addresses: ["link_domain"],
    names: { exclude_ips: "ignore_ips" },
    others: ["allow_counter"],
    unsaid: ["parameters that it always removes, such as utm_*, gclid, fbclid and ref"],
  },
  swetrix: {
    title: "Swetrix",
    ownFields: ["origins", "ipBlacklist", "botsProtectionLevel", "isPasswordProtected", "isDataExists", "websiteUrl"],
    list: "results",
    addresses: ["websiteUrl", "origins"],
    names: { password: "isPasswordProtected", exclude_bots: "botsProtectionLevel", exclude_ips: "ipBlacklist" },
    others: ["countryBlacklist", "ipWhitelist", "!active"],
    unsaid: ["people who share a project"],
  },
  rybbit: {
    title: "Rybbit",
    ownFields: ["siteId", "blockBots", "saltUserIds", "organizationId", "sessionsLast24Hours"],
    list: "sites",
    addresses: ["domain"],
    names: { shared: "privateLinkKey", exclude_bots: "blockBots", exclude_ips: "excludedIPs" },
    others: ["excludedCountries", "excludedPaths", "excludedHostnames", "excludedUserAgents", "!trackUrlParams"],
    unsaid: ["attributes of its script, such as data-track-query"],
  },
  cloudflare: {
    title: "Cloudflare Web Analytics",
    ownFields: ["site_tag", "site_token", "snippet", "auto_install", "ruleset"],
    list: "result",
    addresses: ["host", "zone_name"],
    names: {},
    others: ["rules", "lite", "!enabled"],
    unsaid: ["members of the account, who see all statistics"],
  },
} as const satisfies Record<string, Service>;

/** The name of a service whose sites can be imported. */
export type ServiceName = keyof typeof services;

export const serviceNames: readonly string[] = Object.keys(services);
