import { Privacy, parseDomain, type WebsiteSettings } from "@siteward/contract/plain";
import type { Website } from "@siteward/sdk";
import { formats } from "../output/formats.ts";
import { completeSettings, settingNames } from "../websites/settings.ts";
import { websiteView } from "../websites/website-view.ts";
import { passwordVariable } from "./site/format.ts";
import type { EarlierFile } from "./site/keep-lists.ts";

/** The formats that an import reads again without loss. */
export const exportFormats = ["yaml", "json", "ndjson", "csv"] as const;

/** A format that an import reads again without loss. */
export type ExportFormat = (typeof exportFormats)[number];

/** How websites are exported. */
interface ExportOptions {
  /** What stays of the site file that the export replaces. */
  readonly earlier?: EarlierFile | undefined;
  /** Whether domains in CSV are in ASCII, for other programs. */
  readonly ascii: boolean;
}

/** Formats websites for an import: YAML as a site file, CSV, or records. */
export async function* formatExport(
  websites: AsyncIterable<Website>,
  format: ExportFormat,
  { earlier, ascii }: ExportOptions,
): AsyncGenerator<string> {
  if (format === "yaml") {
    const { formatSiteFile } = await import("./site/format.ts");
    yield await formatSiteFile(await Array.fromAsync(websites), earlier);
    return;
  }
  const renderer = await formats[format]();
  const layout = { view: {}, fields, widthColumns: undefined, ascii: true, color: false };
  if (format === "ndjson") return yield* renderer.list(exported(websites), layout);
  // A part of an array is not JSON.
  if (format === "json") return yield (await Array.fromAsync(renderer.list(exported(websites), layout))).join("");
  const { domainText } = await import("../output/domain-text.ts");
  const readable = (domain: string): string => (ascii ? domain : onlyIfSame(domain, domainText(domain)));
  const text = (await Array.fromAsync(renderer.list(asCells(exported(websites), readable), layout))).join("");
  // Excel reads UTF-8 only behind this mark. Other programs can take it for a part of the first name.
  yield isAscii.test(text) ? text : `\ufeff${text}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is all of ASCII
const isAscii = /^[\u0000-\u007f]*$/;

/** Returns the Unicode form of a domain, if an import reads it as the same domain. */
function onlyIfSame(domain: string, text: string): string {
  const parsed = parseDomain(text);
  return parsed.ok && parsed.value === domain ? text : domain;
}

/** Returns websites as cells: lists have a space behind each comma, where a cell can wrap. */
async function* asCells(
  websites: AsyncIterable<ExportedWebsite>,
  readable: (domain: string) => string,
): AsyncGenerator<object> {
  for await (const website of websites) {
    const settings = settingNames.map((name) => [name, websiteView[name].show?.(website[name])]);
    yield { ...website, domain: readable(website.domain), ...Object.fromEntries(settings) };
  }
}

async function* exported(websites: AsyncIterable<Website>): AsyncGenerator<ExportedWebsite> {
  for await (const website of websites) yield toExported(website);
}

/** A website as an import reads it: without what the service assigns. */
interface ExportedWebsite extends WebsiteSettings {
  readonly domain: string;
  /** The environment variable from which an import reads the password. */
  readonly password_env?: string;
}

/** The fields of an export, in order. */
const fields: readonly (keyof ExportedWebsite)[] = ["domain", ...settingNames, "password_env"];

/** Returns a website as an import reads it. */
function toExported(website: Website): ExportedWebsite {
  const { domain, privacy } = website;
  const source = privacy === Privacy.Password ? { password_env: passwordVariable(domain) } : {};
  return { domain, ...completeSettings(website), ...source };
}
