import { Readable } from "node:stream";
import type { ListWebsites, Siteward, Website, WebsitePage } from "@siteward/sdk";
import { connect } from "../client/connect.ts";
import { CliError } from "../errors/cli-error.ts";
import { commandLine } from "../flags/command-line.ts";
import { addFieldFlags, type FieldFlags, readFieldFlags } from "../flags/field-flags.ts";
import { choiceFlag, flag, presenceFlag, textFlag } from "../flags/flag.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { parseWholeNumber } from "../flags/whole-number.ts";
import { listNote } from "../output/list-note.ts";
import { note, noteCommand } from "../output/notices.ts";
import { openOutput } from "../output/output.ts";
import type { Io } from "../process/io.ts";
import { type Progress, startProgress } from "../progress/start-progress.ts";
import { websiteView } from "../settings/website-view.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

type PageSize = NonNullable<ListWebsites["per_page"]>;
const pageSizes: Readonly<Record<PageSize, PageSize>> = { 10: 10, 25: 25, 50: 50, 100: 100 };

const queryFlags: FieldFlags<ListWebsites> = {
  search: textFlag("--search <term>", "list only websites whose domain contains this term, in ASCII or in Unicode"),
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
  changed_since: {
    reason: "a program that follows the changes keeps the cursor; `siteward api get` sends one by hand",
  },
  entity_tags: { reason: "a record has no place for its entity tag; `websites get --etag` shows one" },
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
        const maxRetries = flags.retries ?? 3;
        const { page, websites } = await readPages(io, siteward, { query, limit, maxRetries });
        const count = await output.list(websites);
        await note(io, listNote({ count, query, page }));
        return;
      }
      const page = await siteward.websites.list(query);
      const count = await output.list(Readable.from(page.data));
      await note(io, listNote({ count, query, page }));
      const { next_cursor: cursor } = page.meta;
      if (cursor === null) return;
      const changes = { without: ["--page", "--cursor"], with: ["--cursor", cursor] };
      await note(io, `Next page, or --all for all pages:`);
      await noteCommand(io, commandLine(command, changes, io.platform));
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

/** What to read, over several pages. */
interface Reading {
  readonly query: ListWebsites;
  /** The largest number of websites; undefined reads all. */
  readonly limit: number | undefined;
  readonly maxRetries: number;
}

/** Reads the first page, and each further one when a website of it is needed. */
async function readPages(
  io: Io,
  siteward: Siteward,
  { query, limit = Number.POSITIVE_INFINITY, maxRetries }: Reading,
): Promise<{ readonly page: WebsitePage; readonly websites: AsyncIterable<Website> }> {
  const per_page = query.per_page ?? chooseBatchSize(limit);
  const page = await siteward.websites.list({ ...query, per_page }, { maxRetries });
  // From a cursor or in a large search, nobody knows how many websites are left.
  const isCounted = query.cursor === undefined && page.meta.total_relation === "eq";
  const total = isCounted ? Math.min(limit, page.meta.total) : undefined;
  const work = { label: "Reading websites", total, stepsPerRequest: per_page };
  return { page, websites: websitesFrom(page, limit, startProgress(io, work)) };
}

async function* websitesFrom(first: WebsitePage, limit: number, reading: Progress): AsyncGenerator<Website> {
  using progress = reading;
  let left = limit;
  for (let page: WebsitePage | undefined = first; page !== undefined && left > 0; page = await page.nextPage()) {
    const websites = page.data.slice(0, left);
    yield* websites;
    left -= websites.length;
    progress.advance(websites.length);
    if (left === 0) return;
  }
}
