import type { ListWebsites, WebsitePage } from "@siteward/sdk";
import { Option } from "commander";
import { wholeNumber } from "../flags/parse.ts";
import { note } from "../output/notices.ts";
import { CliError } from "../process/cli-error.ts";
import { readPages } from "../websites/read-pages.ts";
import { levelName, privacyLevels } from "../websites/settings.ts";
import { levelOption } from "../websites/website-flags.ts";
import { websiteView } from "../websites/website-view.ts";
import type { CommandDefinition } from "./command.ts";

const pageSizes = [10, 25, 50, 100] as const;

/** The flags that are parameters of the request, as they are sent, and those for more than one page. */
interface Flags extends Pick<ListWebsites, "search" | "sort" | "page"> {
  readonly sortBy?: ListWebsites["sort_by"];
  readonly perPage?: string;
  readonly privacy?: number;
  readonly all?: true;
  readonly limit?: number;
}

/** `siteward websites list`. */
export const command: CommandDefinition<Flags> = {
  declare: (command) =>
    command
      .option("--search <term>", "list only websites whose domain contains this term, in ASCII or in Unicode")
      .addOption(
        new Option("--sort-by <field>", "sort key; id sorts by creation date (default: id)").choices(["id", "domain"]),
      )
      .addOption(new Option("--sort <direction>", "sort direction (default: desc)").choices(["desc", "asc"]))
      .addOption(new Option("--per-page <count>", "websites per page (default: 10)").choices(pageSizes.map(String)))
      .option("--page <number>", "page to show, starting at 1", wholeNumber(1))
      .addOption(levelOption("--privacy <level>", "list only websites with this privacy", privacyLevels))
      .option("--all", "list all pages; ndjson and csv print each website as it arrives")
      .option("--limit <count>", "list at most this many websites, across pages", wholeNumber(1)),
  help: `\
In JSON and YAML, the result is an array of websites: one page, or all pages
with --all. With --privacy, pages are read until --limit websites have the level
(default: --per-page).`,
  examples: [
    "siteward websites list --search example --sort-by domain --sort asc",
    "siteward websites list --all --output csv > websites.csv",
    "siteward websites list --limit 50 --fields id,domain",
    "siteward websites list --privacy public --all --fields domain",
    "siteward websites list --all --output ndjson | jq -r .domain",
  ],
  view: websiteView,
  run: async ({ io, flags, openOutput, connect }) => {
    const { all, privacy, page } = flags;
    const isOnePage = (all ?? flags.limit ?? privacy) === undefined;
    if (!isOnePage && page !== undefined)
      throw new CliError("usage", "--page shows one page. Omit it with --all, --limit or --privacy.");
    const output = openOutput();
    const reading = readingOf(flags);
    const { first, websites, count } = await readPages(io, await connect(isOnePage ? 0 : 3), reading);
    // A part of an array is not JSON, and the request for the next page can fail.
    await output.list(output.format === "json" ? await Array.fromAsync(websites) : websites);
    await note(
      io,
      privacy === undefined ? listNote(count(), first, flags) : levelNote(count(), privacy, count() === reading.limit),
    );
    if (isOnePage && first.meta.next_cursor !== null)
      await note(io, `For the next page, use --page ${(page ?? 1) + 1}. For all pages, use --all.`);
  },
};

/** Returns what is read: one page, unless the flags say otherwise. */
function readingOf({ search, sortBy: sort_by, sort, perPage, page, all, privacy, limit: max }: Flags) {
  const chosen = pageSizes.find((size) => String(size) === perPage);
  const limit = max ?? (all ? undefined : (chosen ?? 10));
  // The service cannot search for a level. Otherwise, the smallest page that reaches the limit is enough.
  const enough = chosen ?? pageSizes.find((size) => size >= (limit ?? Number.POSITIVE_INFINITY)) ?? 100;
  const query = { search, sort_by, sort, per_page: privacy === undefined ? enough : 100, page };
  return { query, limit, privacy, label: "Reading websites" };
}

/** Says how much of a list is shown, or why it is empty. */
function listNote(count: number, { meta }: Pick<WebsitePage, "meta">, { page, search }: Flags): string {
  const { total, total_relation, last_page } = meta;
  if (count > 0) {
    const isPart = total > count || total_relation === "gte";
    const whole = `${total_relation === "gte" ? "at least " : ""}${plural(total)}`;
    return `${isPart ? `${count} of ${whole}` : plural(count)}.`;
  }
  if (total > 0 && page !== undefined) return `There is no page ${page}. The last page is ${last_page ?? 1}.`;
  if (search) return `No websites match ${JSON.stringify(search)}.`;
  return "No websites yet. Create one with `siteward websites create example.com`.";
}

function plural(count: number): string {
  return `${count} ${count === 1 ? "website" : "websites"}`;
}

/** Returns how many websites with a level were listed, and whether there can be more. */
function levelNote(count: number, privacy: number, mayBeMore: boolean): string {
  const level = `the privacy level ${levelName(privacyLevels, privacy)}`;
  if (count === 0) return `No website has ${level}.`;
  if (mayBeMore) return `The first ${plural(count)} with ${level}. For all, use --all.`;
  return `${plural(count)} with ${level}.`;
}
