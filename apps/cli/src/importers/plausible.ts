import { entryGrammars } from "@siteward/contract/website-settings";
import { isObject } from "../rows/parse-json.ts";
import { droppedFields } from "./dropped-fields.ts";
import type { Importer } from "./importer.ts";
import { keepValid } from "./keep-valid.ts";

/**
 * Plausible Analytics: what `GET /api/v1/sites` answers with (https://plausible.io/docs/sites-api), the array of its
 * sites, or a CSV file of the table `sites`. The API says nothing of blocked addresses; `shield_rules_ip` is the table in
 * which Plausible stores them.
 */
export const plausible: Importer = {
  service: "Plausible",
  // An answer has its sites in a field of this name.
  ownFields: ["sites", "timezone", "public", "custom_properties", "stats_start_date", "shield_rules_ip"],
  findSites: (answer) => {
    const sites = isObject(answer) ? answer["sites"] : answer;
    return Array.isArray(sites) ? sites : undefined;
  },
  hasOtherPages: (answer) => {
    const meta = isObject(answer) ? answer["meta"] : undefined;
    return isObject(meta) && [meta["after"], meta["before"]].some((cursor) => typeof cursor === "string");
  },
  convert: (site) => {
    const addresses = blockedAddresses(site["shield_rules_ip"]);
    const { kept, droppedValues } = keepValid("shield_rules_ip", addresses, entryGrammars.exclude_ips);
    const isPublic = ["true", "t", "1"].includes(String(site["public"]).toLowerCase());
    return {
      fields: { domain: site["domain"], privacy: isPublic ? "public" : "private", exclude_ips: kept },
      dropped: droppedFields(site, ["domain", "public", "shield_rules_ip"]),
      droppedValues,
    };
  },
};

/** A rule is a row of the table: an address or network, and whether it is denied. */
function blockedAddresses(rules: unknown): unknown {
  if (!Array.isArray(rules)) return rules;
  return rules.flatMap((rule: unknown) => {
    if (!isObject(rule)) return [rule];
    return rule["action"] === "allow" ? [] : [rule["inet"]];
  });
}
