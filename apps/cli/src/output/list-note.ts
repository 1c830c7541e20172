import type { ListWebsites, WebsitePage } from "@siteward/sdk";

/** What was listed: how many websites, for which query, and the first page that was read. */
interface Listing {
  readonly count: number;
  readonly query: ListWebsites;
  readonly page: Pick<WebsitePage, "meta">;
}

/** Returns a sentence about a list for the person who reads it: how much of it is shown, or why it is empty. */
export function listNote({ count, query, page }: Listing): string {
  const { total, total_relation, last_page } = page.meta;
  if (count > 0) {
    const isPart = total > count || total_relation === "gte";
    const whole = `${total_relation === "gte" ? "at least " : ""}${plural(total)}`;
    return `${isPart ? `${count} of ${whole}` : plural(count)}.`;
  }
  if (total > 0 && query.page !== undefined)
    return `There is no page ${query.page}. The last page is ${last_page ?? 1}.`;
  if (query.cursor !== undefined) return "There are no more websites.";
  if (query.search) return `No websites match ${JSON.stringify(query.search)}.`;
  return "No websites yet. Create one with `siteward websites create example.com`.";
}

function plural(count: number): string {
  return `${count} ${count === 1 ? "website" : "websites"}`;
}
