import type { ListWebsitesQuery, WebsitePage } from "@siteward/sdk";
import { Option } from "commander";
import { connect } from "../client/connect.ts";
import { CliError } from "../errors/cli-error.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { parseCount } from "../flags/option-values.ts";
import { note } from "../output/notices.ts";
import { openOutput } from "../output/output.ts";
import { websiteView } from "../output/website-view.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

interface Flags extends GlobalFlags {
  readonly search?: string;
  readonly sortBy?: ListWebsitesQuery["sort_by"];
  readonly sort?: ListWebsitesQuery["sort"];
  readonly perPage?: string;
  readonly page?: number;
  readonly cursor?: string;
  readonly all?: true;
  readonly limit?: number;
}

const pageSizes = [10, 25, 50, 100] as const;

/** `siteward websites list` */
export const websitesList: CommandSetup = (command, io) => {
  command
    .option("--search <term>", "only domains that contain this")
    .addOption(new Option("--sort-by <field>", "id is the date created (default: id)").choices(["id", "domain"]))
    .addOption(new Option("--sort <direction>", "direction (default: desc)").choices(["desc", "asc"]))
    .addOption(new Option("--per-page <count>", "websites on a page (default: 10)").choices(pageSizes.map(String)))
    .option("--page <number>", "page to show, from 1", parseCount)
    .option("--cursor <cursor>", "where an earlier page said that the next begins")
    .option("--all", "every page; with ndjson and csv each website is written as it comes")
    .option("--limit <count>", "this many websites, over as many pages as it takes", parseCount)
    .addHelpText("after", `\n${resultHelp}\n${examples(exampleLines)}`)
    .action(async () => {
      const flags = command.optsWithGlobals<Flags>();
      checkPaging(flags);
      const output = openOutput(io, flags, websiteView);
      const siteward = await connect(io, flags);
      if (flags.all === true || flags.limit !== undefined) {
        const query = { ...toQuery(flags), per_page: chooseBatchSize(flags) };
        const websites = siteward.websites.list(query, { maxRetries: 3 });
        const count = await output.list(take(websites, flags.limit ?? Number.POSITIVE_INFINITY));
        if (count === 0) await note(io, "No websites match.");
        return;
      }
      const page = await siteward.websites.list(toQuery(flags));
      await output.list(take(page.data, page.data.length));
      await note(io, describePage(page));
    });
};

const resultHelp = "The result is an array of websites, in JSON and YAML: one page, or all with --all.";

const exampleLines = [
  "siteward websites list --search example --sort-by domain --sort asc",
  "siteward websites list --all --output csv > websites.csv",
  "siteward websites list --limit 50 --fields id,domain",
  "siteward websites list --all --output ndjson | jq -r .domain",
];

function checkPaging({ page, cursor, all, limit }: Flags): void {
  if (page !== undefined && cursor !== undefined) {
    throw new CliError("usage", "--page and --cursor cannot go together");
  }
  if (page !== undefined && (all === true || limit !== undefined)) {
    throw new CliError("usage", "--page shows one page; leave it out with --all or --limit");
  }
}

function toQuery(flags: Flags): ListWebsitesQuery {
  const { search, sortBy, sort, perPage, page, cursor } = flags;
  const size = pageSizes.find((known) => known === Number(perPage));
  return { search, sort_by: sortBy, sort, per_page: size, page, cursor };
}

/** As few requests as the limit takes, and no more records than it needs where one request is enough. */
function chooseBatchSize({ perPage, limit = Number.POSITIVE_INFINITY }: Flags): ListWebsitesQuery["per_page"] {
  const asked = pageSizes.find((size) => size === Number(perPage));
  return asked ?? pageSizes.find((size) => size >= limit) ?? 100;
}

async function* take<Item>(items: AsyncIterable<Item> | Iterable<Item>, limit: number): AsyncGenerator<Item> {
  let left = limit;
  for await (const item of items) {
    yield item;
    left -= 1;
    if (left <= 0) return;
  }
}

function describePage({ data, meta }: WebsitePage): string {
  if (data.length === 0) return meta.total === 0 ? "No websites match." : "This page is empty: there are fewer pages.";
  const total = `${meta.total_relation === "gte" ? "at least " : ""}${meta.total}`;
  const next =
    meta.next_cursor === null ? "" : ` Next page: the same with --cursor ${meta.next_cursor}, or all with --all.`;
  return `${data.length} of ${total} websites.${next}`;
}
