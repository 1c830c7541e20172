import { entryGrammars } from "@siteward/contract/website-settings";
import { isObject } from "../rows/parse-json.ts";
import { droppedFields } from "./dropped-fields.ts";
import type { Importer } from "./importer.ts";
import { keepValid } from "./keep-valid.ts";

/**
 * Matomo: what `SitesManager.getAllSites` (an object by ID) and `SitesManager.getSitesWithAtLeastViewAccess` (an array) answer
 * with in JSON (https://developer.matomo.org/api-reference/reporting-api#SitesManager).
 */
export const matomo: Importer = {
  service: "Matomo",
  ownFields: ["idsite", "main_url", "excluded_ips", "excluded_parameters", "ts_created", "sitesearch"],
  findSites: (answer) => {
    const sites = isObject(answer) ? Object.values(answer) : answer;
    return Array.isArray(sites) && sites.every((site) => isObject(site) && "main_url" in site) ? sites : undefined;
  },
  convert: (site) => {
    const { host, rest } = splitUrl(site["main_url"]);
    const parameters = splitPatterns(site["excluded_parameters"]);
    const ips = keepValid("excluded_ips", site["excluded_ips"], entryGrammars.exclude_ips);
    const names = keepValid("excluded_parameters", parameters.names, entryGrammars.exclude_params);
    return {
      fields: { domain: host, privacy: "private", exclude_params: names.kept, exclude_ips: ips.kept },
      dropped: droppedFields(site, ["main_url", "excluded_ips", "excluded_parameters"]),
      droppedValues: [
        ...(rest === "" ? [] : [`main_url ${JSON.stringify(rest)} is not part of a domain`]),
        ...parameters.patterns.map(
          (pattern) => `excluded_parameters ${JSON.stringify(pattern)} is a regular expression`,
        ),
        ...ips.droppedValues,
        ...names.droppedValues,
      ],
    };
  },
};

/** Returns the host of a URL, and the port and path that a domain cannot have. */
function splitUrl(url: unknown): { readonly host: unknown; readonly rest: string } {
  if (typeof url !== "string") return { host: url, rest: "" };
  const [, host, rest = ""] = /^https?:\/\/([^/?#:@]+)(.*)$/i.exec(url.trim()) ?? [];
  return host === undefined ? { host: url, rest: "" } : { host, rest: rest === "/" ? "" : rest };
}

/** Matomo accepts regular expressions between slashes, which can contain commas. */
function splitPatterns(value: unknown): { readonly names: readonly string[]; readonly patterns: readonly string[] } {
  const texts = String(value ?? "")
    .split(",")
    .map((text) => text.trim());
  return {
    names: texts.filter((text) => !text.startsWith("/")),
    patterns: texts.filter((text) => text.startsWith("/")),
  };
}
