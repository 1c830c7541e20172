import { isDeepStrictEqual } from "node:util";
import { Privacy, type WebsiteSettings } from "@siteward/contract/website-settings";
import type { Website } from "@siteward/sdk";
import { domainText } from "../output/domain-text.ts";
import type { YamlComment } from "../output/yaml.ts";
import { completeSettings } from "../settings/complete-settings.ts";
import { readableSetting } from "../settings/readable-setting.ts";
import { isListName, type SettingName, settingNames } from "../settings/settings.ts";
import { addChecksum } from "./export-checksum.ts";
import { siteFileVersion } from "./find-wrong-sections.ts";
import type { KeptLists } from "./kept-lists.ts";
import { entryText } from "./list-items.ts";

/** Where editors find the JSON Schema of a site file. */
export const schemaUrl = "https://raw.githubusercontent.com/siteward/siteward/main/apps/cli/siteward.schema.json";

/**
 * Formats websites as a site file, sorted by domain, with the Unicode form of a domain as a comment. A setting that a new website has
 * anyway is omitted. A password is named by an environment variable, never written. Loads the YAML library.
 *
 * @param kept the lists of the file that this one replaces
 */
export async function formatSiteFile(websites: Iterable<Website>, kept?: KeptLists): Promise<string> {
  const { yamlText } = await import("../output/yaml.ts");
  const listed = Array.from(websites, (website) => toListed(website, kept)).toSorted((a, b) =>
    a.domain < b.domain ? -1 : 1,
  );
  const content = {
    version: Number(siteFileVersion),
    ...(kept === undefined ? {} : { lists: kept.texts }),
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

function toListed(website: Website, kept: KeptLists | undefined): Listed {
  const { domain } = website;
  const settings = completeSettings(website);
  const defaults = completeSettings({});
  const stated = settingNames.filter((name) => {
    const isNamed = isListName(name) && kept?.areNamed(domain, name) === true;
    return isNamed || !isDeepStrictEqual(settings[name], defaults[name]);
  });
  const fields = Object.fromEntries(stated.map((name) => [name, statedSetting(domain, { name, settings, kept })]));
  const isProtected = settings.privacy === Privacy.Password;
  return { domain, fields: isProtected ? { ...fields, password_env: passwordVariable(domain) } : fields };
}

function statedSetting(
  domain: string,
  { name, settings, kept }: { name: SettingName; settings: WebsiteSettings; kept: KeptLists | undefined },
): unknown {
  if (!isListName(name)) return readableSetting(name, settings[name]);
  const entries = settings[name];
  return kept?.fold(domain, name, entries) ?? entries.map(entryText);
}
