import type { Website } from "@siteward/sdk";
import { formats } from "../output/formats.ts";
import { exportView, toExported } from "./exported-website.ts";

/** The formats that an import reads again without loss. */
export const exportFormats = ["yaml", "json", "ndjson", "csv"] as const;

/** A format that an import reads again without loss. */
export type ExportFormat = (typeof exportFormats)[number];

/** Formats websites for an import: YAML as a site file, the other formats as records. */
export async function* formatExport(websites: AsyncIterable<Website>, format: ExportFormat): AsyncGenerator<string> {
  if (format === "yaml") {
    const { formatSiteFile } = await import("../site-file/format-site-file.ts");
    yield await formatSiteFile(await Array.fromAsync(websites));
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
