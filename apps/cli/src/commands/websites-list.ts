import { Readable } from "node:stream";
import type { ListWebsites, WebsitePage } from "@siteward/sdk";
import { connect } from "../client/connect.ts";
import { addFieldFlags, type FieldFlags, readFieldFlags } from "../flags/field-flags.ts";
import { choiceFlag, flag, presenceFlag, textFlag, valuesFlag } from "../flags/flag.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { wholeNumber } from "../flags/numbers.ts";
import { note } from "../output/notices.ts";
import { openOutput } from "../output/output.ts";
import { CliError } from "../process/cli-error.ts";
import { levelName } from "../websites/levels.ts";
import { levelParser } from "../websites/parse-flag-value.ts";
import { readPages } from "../websites/read-pages.ts";
import { privacyLevels } from "../websites/settings.ts";
import { websiteView } from "../websites/website-view.ts";
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
  page: flag("--page <number>", "page to show, starting at 1", wholeNumber(1)),
  cursor: { reason: "--page and --all read further pages; `siteward api get` sends a cursor by hand" },
  changed_since: { reason: "a program that follows the changes keeps the cursor" },
  entity_tags: { reason: "a record has no place for its entity tag; `websites get --etag` shows one" },
};

/** Which websites to read across pages, instead of one page. */
interface Extent {
  readonly privacy?: number | undefined;
  readonly all?: true | undefined;
  readonly limit?: number | undefined;
}

const extentFlags: FieldFlags<Extent> = {
  privacy: valuesFlag("--privacy <level>", "list only websites with this privacy", {
    values: Object.values(privacyLevels),
    parse: levelParser(privacyLevels),
  }),
  all: presenceFlag("--all", "list all pages; ndjson and csv print each website as it arrives"),
  limit: flag("--limit <count>", "list at most this many websites, across pages", wholeNumber(1)),
};

/** Sets up `siteward websites list`. */
export const websitesList: CommandSetup = (command, io) => {
  addFieldFlags(addFieldFlags(command, queryFlags), extentFlags)
    .addHelpText("after", `\n${resultHelp}\n${examples(exampleLines)}`)
    .action(async () => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const query = await readFieldFlags<ListWebsites>(queryFlags, command, io);
      const { all, limit: stated, privacy } = await readFieldFlags<Extent>(extentFlags, command, io);
      const isOnePage = all === undefined && stated === undefined && privacy === undefined;
      checkPaging(query, isOnePage);
      const output = openOutput(io, flags, websiteView);
      const siteward = await connect(io, flags);
      if (isOnePage) {
        const page = await siteward.websites.list(query);
        const count = await output.list(Readable.from(page.data));
        await note(io, listNote({ count, query, page }));
        if (page.meta.next_cursor !== null)
          await note(io, `For the next page, use --page ${(query.page ?? 1) + 1}. For all pages, use --all.`);
        return;
      }
      // With a level, a page is as many websites with it.
      const limit = stated ?? (all ? undefined : (query.per_page ?? 10));
      const { first, websites } = await readPages(io, siteward, {
        query: { ...query, per_page: choosePageSize(query, { limit, privacy }) },
        limit,
        privacy,
        options: { maxRetries: flags.retries ?? 3 },
        label: "Reading websites",
      });
      const count = await output.list(websites);
      await note(
        io,
        privacy === undefined ? listNote({ count, query, page: first }) : levelNote(count, { limit, privacy }),
      );
    });
  return websiteView;
};

const resultHelp = `\
In JSON and YAML, the result is an array of websites: one page, or all pages
with --all. With --privacy, pages are read until --limit websites have the level
(default: --per-page).`;

const exampleLines = [
  "siteward websites list --search example --sort-by domain --sort asc",
  "siteward websites list --all --output csv > websites.csv",
  "siteward websites list --limit 50 --fields id,domain",
  "siteward websites list --privacy public --all --fields domain",
  "siteward websites list --all --output ndjson | jq -r .domain",
];

function checkPaging({ page }: ListWebsites, isOnePage: boolean): void {
  if (page !== undefined && !isOnePage) {
    throw new CliError("usage", "--page shows one page. Omit it with --all, --limit or --privacy.");
  }
}

/** What was listed: how many websites, for which query, and the first page that was read. */
interface Listing {
  readonly count: number;
  readonly query: ListWebsites;
  readonly page: Pick<WebsitePage, "meta">;
}

/** Returns a sentence about a list for the person who reads it: how much of it is shown, or why it is empty. */
function listNote({ count, query, page }: Listing): string {
  const { total, total_relation, last_page } = page.meta;
  if (count > 0) {
    const isPart = total > count || total_relation === "gte";
    const whole = `${total_relation === "gte" ? "at least " : ""}${plural(total)}`;
    return `${isPart ? `${count} of ${whole}` : plural(count)}.`;
  }
  if (total > 0 && query.page !== undefined)
    return `There is no page ${query.page}. The last page is ${last_page ?? 1}.`;
  if (query.search) return `No websites match ${JSON.stringify(query.search)}.`;
  return "No websites yet. Create one with `siteward websites create example.com`.";
}

function plural(count: number): string {
  return `${count} ${count === 1 ? "website" : "websites"}`;
}

/** Returns how many websites with a level were listed, and whether there can be more. */
function levelNote(count: number, { limit, privacy }: Pick<Extent, "limit"> & { readonly privacy: number }): string {
  const level = `the privacy ${levelName(privacyLevels, privacy)}`;
  if (count === 0) return `No websites with ${level}.`;
  return count === limit
    ? `The first ${plural(count)} with ${level}. For all, use --all.`
    : `${plural(count)} with ${level}.`;
}

/** Returns the smallest page size that reaches the limit in one request, else the largest, which a search for a level needs. */
function choosePageSize({ per_page }: ListWebsites, { limit = Number.POSITIVE_INFINITY, privacy }: Extent): PageSize {
  if (privacy !== undefined) return 100;
  return per_page ?? Object.values(pageSizes).find((size) => size >= limit) ?? 100;
}
