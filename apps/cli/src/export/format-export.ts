import { Privacy, type WebsiteSettings } from "@siteward/contract/website-settings";
import type { Website } from "@siteward/sdk";
import { formats } from "../output/formats.ts";
import type { View } from "../output/view.ts";
import { completeSettings } from "../settings/complete-settings.ts";
import { settingNames } from "../settings/settings.ts";
import { passwordVariable } from "../site-file/format-site-file.ts";
import type { KeptLists } from "../site-file/kept-lists.ts";

/** The formats that an import reads again without loss. */
export const exportFormats = ["yaml", "json", "ndjson", "csv"] as const;

/** A format that an import reads again without loss. */
export type ExportFormat = (typeof exportFormats)[number];

/**
 * Formats websites for an import: YAML as a site file, the other formats as records.
 *
 * @param kept the lists of the site file that the export replaces
 */
export async function* formatExport(
  websites: AsyncIterable<Website>,
  format: ExportFormat,
  kept?: KeptLists,
): AsyncGenerator<string> {
  if (format === "yaml") {
    const { formatSiteFile } = await import("../site-file/format-site-file.ts");
    yield await formatSiteFile(await Array.fromAsync(websites), kept);
    return;
  }
  const renderer = await formats[format]();
  yield* renderer.list(exported(websites), {
    view: exportView,
    fields: undefined,
    widthColumns: undefined,
    ascii: true,
    color: false,
  });
}

async function* exported(websites: AsyncIterable<Website>): AsyncGenerator<object> {
  for await (const website of websites) yield toExported(website);
}

/** A website as an import reads it: without what the service assigns. */
interface ExportedWebsite extends WebsiteSettings {
  readonly domain: string;
  /** The environment variable from which an import reads the password. No export contains the password itself. */
  readonly password_env?: string;
}

const fields: readonly (keyof ExportedWebsite)[] = ["domain", ...settingNames, "password_env"];

/** The fields of an export, in order. */
const exportView: View = Object.fromEntries(fields.map((field) => [field, { title: field, inList: true }]));

/** Returns a website as an import reads it. */
function toExported(website: Website): ExportedWebsite {
  const { domain, privacy } = website;
  const source = privacy === Privacy.Password ? { password_env: passwordVariable(domain) } : {};
  return { domain, ...completeSettings(website), ...source };
}
