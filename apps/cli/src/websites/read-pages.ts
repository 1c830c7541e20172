import type { ListWebsites, Siteward, Website, WebsitePage } from "@siteward/sdk";
import { startProgress } from "../output/progress.ts";
import type { Io } from "../process/io.ts";

/** What to read, over several pages. */
interface Reading {
  readonly query: ListWebsites;
  /** The largest number of websites. Default: all. */
  readonly limit?: number | undefined;
  /** The level of privacy. Default: any. The service cannot search for it, so all pages are read. */
  readonly privacy?: number | undefined;
  /** What the progress says, such as "Exporting". */
  readonly label: string;
  readonly signal?: AbortSignal | undefined;
}

/** Websites that are read while they are used. */
interface Pages {
  /** The first page, which says how many websites there are. */
  readonly first: WebsitePage;
  readonly websites: AsyncIterable<Website>;
  /** Returns how many were read. */
  readonly count: () => number;
}

/** Reads the first page, and each further one when a website of it is needed. */
export async function readPages(io: Io, siteward: Siteward, reading: Reading): Promise<Pages> {
  const { query, limit = Number.POSITIVE_INFINITY, privacy, label, signal } = reading;
  const pages = siteward.websites.list(query, { signal }).pages();
  const start: IteratorResult<WebsitePage> = await pages.next();
  const first = start.value;
  // In a large search, nobody knows how many websites are left. Of those with a level, nobody knows how many there are.
  const { total_relation, total: ofList } = first.meta;
  const total = total_relation === "eq" && privacy === undefined ? Math.min(limit, ofList) : undefined;
  let count = 0;
  async function* websites(): AsyncGenerator<Website> {
    using progress = startProgress(io, { label, total });
    for (let result = start; result.done !== true; result = await pages.next()) {
      const { data } = result.value;
      const wanted = data
        .filter((website) => privacy === undefined || website.privacy === privacy)
        .slice(0, limit - count);
      yield* wanted;
      count += wanted.length;
      progress.advance(wanted.length);
      if (count === limit) return;
    }
  }
  return { first, websites: websites(), count: () => count };
}
