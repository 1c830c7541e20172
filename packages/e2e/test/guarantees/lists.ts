import type { WebsitePage } from "@siteward/contract";
import type { Service } from "@siteward/testing/services/service";
import { Caller } from "./caller.ts";

/** Returns a caller with websites whose order by domain differs from that by ID. */
export async function withWebsites(service: Service, count: number): Promise<Caller> {
  const caller = new Caller(service);
  await caller.createAll(range(1, count).map((id) => `site-${(id * 37) % 1009}.example`));
  return caller;
}

/** Returns the page that a link of another page leads to. */
export async function follow(caller: Caller, link: string | null): Promise<WebsitePage> {
  const { pathname, search } = new URL(link ?? "");
  return (await caller.get(`${pathname}${search}`)).page;
}

/** A page of a list, and the link that leads to it. */
export interface VisitedPage {
  readonly url: string;
  readonly page: WebsitePage;
}

/** Follows the links in one direction, from the page of a link to the last one. */
export async function walk(caller: Caller, start: string, direction: "next" | "prev"): Promise<VisitedPage[]> {
  const pages: VisitedPage[] = [];
  for (let url: string | null = start; url !== null; ) {
    const page: WebsitePage = await follow(caller, url);
    pages.push({ url, page });
    url = page.links[direction];
  }
  return pages;
}

export function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
