import { isDeepStrictEqual } from "node:util";
import { Privacy } from "@siteward/contract/website-settings";
import type { Website } from "@siteward/sdk";
import { domainText } from "../output/domain-text.ts";
import type { YamlComment } from "../output/yaml.ts";
import { completeSettings } from "../settings/complete-settings.ts";
import { readableSetting } from "../settings/readable-setting.ts";
import { settingNames } from "../settings/settings.ts";
import { addChecksum } from "./export-checksum.ts";
import { siteFileVersion } from "./split-site-file.ts";

/** Where editors find the JSON Schema of a site file. */
export const schemaUrl = "https://raw.githubusercontent.com/siteward/siteward/main/apps/cli/siteward.schema.json";

/**
 * Formats websites as a site file, sorted by domain, with the Unicode form of a domain as a comment. A setting that a new website has
 * anyway is omitted. A password is named by an environment variable, never written. Loads the YAML library.
 */
export async function formatSiteFile(websites: Iterable<Website>): Promise<string> {
  const { yamlText } = await import("../output/yaml.ts");
  const listed = Array.from(websites, toListed).toSorted((a, b) => (a.domain < b.domain ? -1 : 1));
  const content = {
    version: Number(siteFileVersion),
    websites: listed.map(({ domain, fields }) => (Object.keys(fields).length === 0 ? domain : { domain, ...fields })),
  };
  return addChecksum(`# yaml-language-server: $schema=${schemaUrl}\n${yamlText(content, unicodeForms(listed))}`);
}

/** A domain that could be mistaken for another one has no comment, as tables show it in ASCII too. */
function unicodeForms(listed: readonly Listed[]): readonly YamlComment[] {
  return listed.flatMap(({ domain, fields }, index) => {
    const text = domainText(domain);
    const entry = ["websites", index];
    return text === domain ? [] : [{ path: Object.keys(fields).length === 0 ? entry : [...entry, "domain"], text }];
  });
}

/** Returns the environment variable for the password of a website. No two domains have the same. */
export function passwordVariable(domain: string): string {
  // A domain has no underscores, and no hyphen next to a dot.
  return `SITEWARD_PASSWORD_${domain.toUpperCase().replaceAll("-", "__").replaceAll(".", "_")}`;
}

interface Listed {
  readonly domain: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

function toListed(website: Website): Listed {
  const { domain } = website;
  const settings = completeSettings(website);
  const defaults = completeSettings({});
  const stated = settingNames.filter((name) => !isDeepStrictEqual(settings[name], defaults[name]));
  const fields = Object.fromEntries(stated.map((name) => [name, readableSetting(name, settings[name])]));
  const isProtected = settings.privacy === Privacy.Password;
  return { domain, fields: isProtected ? { ...fields, password_env: passwordVariable(domain) } : fields };
}
