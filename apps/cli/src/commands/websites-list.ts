import type { ListWebsites, WebsitePage } from "@siteward/sdk";
import { connect } from "../client/connect.ts";
import { CliError } from "../errors/cli-error.ts";
import { addFieldFlags, type FieldFlags, readFieldFlags } from "../flags/field-flags.ts";
import { choiceFlag, flag, presenceFlag, textFlag } from "../flags/flag.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { parseWholeNumber } from "../flags/option-values.ts";
import { note } from "../output/notices.ts";
import { openOutput } from "../output/output.ts";
import { websiteView } from "../output/website-view.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

type PageSize = NonNullable<ListWebsites["per_page"]>;
const pageSizes: Readonly<Record<PageSize, PageSize>> = { 10: 10, 25: 25, 50: 50, 100: 100 };

const queryFlags: FieldFlags<ListWebsites> = {
  search: textFlag("--search <term>", "list only websites whose domain contains this term"),
  search_by: { reason: "the domain is the only field that can be searched, and the default" },
  sort_by: choiceFlag<NonNullable<ListWebsites["sort_by"]>>(
    "--sort-by <field>",
    "sort key; id sorts by creation date (default: id)",
    { id: "id", domain: "domain" },
  ),
  sort: choiceFlag<NonNullable<ListWebsites["sort"]>>("--sort <direction>", "sort direction (default: desc)", {
    desc: "desc",
    asc: "asc",
  }),
  per_page: choiceFlag("--per-page <count>", "websites per page (default: 10)", pageSizes),
  page: flag("--page <number>", "page to show, starting at 1", parseWholeNumber),
  cursor: textFlag("--cursor <cursor>", "cursor of the next page, printed with each page"),
};

/** How much of the list to read, instead of one page. */
interface Extent {
  readonly all?: true;
  readonly limit?: number;
}

const extentFlags: FieldFlags<Extent> = {
  all: presenceFlag("--all", "list all pages; ndjson and csv print each website as it arrives"),
  limit: flag("--limit <count>", "list at most this many websites, across pages", parseWholeNumber),
};

/** Sets up `siteward websites list`. */
export const websitesList: CommandSetup = (command, io) => {
  addFieldFlags(addFieldFlags(command, queryFlags), extentFlags)
    .addHelpText("after", `\n${resultHelp}\n${examples(exampleLines)}`)
    .action(async () => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const query = await readFieldFlags<ListWebsites>(queryFlags, command, io);
      const { all, limit } = await readFieldFlags<Extent>(extentFlags, command, io);
      const isOnePage = all === undefined && limit === undefined;
      checkPaging(query, isOnePage);
      const output = openOutput(io, flags, websiteView);
      const siteward = await connect(io, flags);
      if (!isOnePage) {
        const websites = siteward.websites.list(
          { ...query, per_page: query.per_page ?? chooseBatchSize(limit) },
          { maxRetries: 3 },
        );
        const count = await output.list(take(websites, limit ?? Number.POSITIVE_INFINITY));
        if (count === 0) await note(io, "No websites match.");
        return;
      }
      const page = await siteward.websites.list(query);
      await output.list(take(page.data, page.data.length));
      await note(io, describePage(page));
    });
};

const resultHelp = "In JSON and YAML, the result is an array of websites: one page, or all pages with --all.";

const exampleLines = [
  "siteward websites list --search example --sort-by domain --sort asc",
  "siteward websites list --all --output csv > websites.csv",
  "siteward websites list --limit 50 --fields id,domain",
  "siteward websites list --all --output ndjson | jq -r .domain",
];

function checkPaging({ page, cursor }: ListWebsites, isOnePage: boolean): void {
  if (page !== undefined && cursor !== undefined) {
    throw new CliError("usage", "--page and --cursor cannot be combined.");
  }
  if (page !== undefined && !isOnePage) {
    throw new CliError("usage", "--page shows one page. Omit it with --all or --limit.");
  }
}

/** Returns the smallest page size that reaches the limit in one request, else the largest. */
function chooseBatchSize(limit = Number.POSITIVE_INFINITY): PageSize {
  return Object.values(pageSizes).find((size) => size >= limit) ?? 100;
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
  if (data.length === 0)
    return meta.total === 0 ? "No websites match." : "This page is empty. The list has fewer pages.";
  const total = `${meta.total_relation === "gte" ? "at least " : ""}${meta.total}`;
  const next = meta.next_cursor === null ? "" : ` Next page: --cursor ${meta.next_cursor} (or --all for all pages)`;
  return `${data.length} of ${total} websites.${next}`;
}
