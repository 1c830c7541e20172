import type { Website } from "@siteward/contract/types";
import { describe, expect, test } from "vitest";
import type { WebsitePage } from "../src/resources/website-page.ts";
import { Siteward } from "../src/siteward.ts";
import { json, problem, type Responder, serve } from "./support/serve.ts";
import { website } from "./support/website.ts";

const apiKey = "swk_secret";

describe("websites.list, awaited", () => {
  test("gives one page with the query as it was asked, asking once", async () => {
    await using server = await serve(pages(25));
    const list = new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list({
      page: 2,
      search: "a&b c",
      sort: undefined,
    });
    const page = await list;
    expect(page.data.map(({ id }) => id)).toEqual(range(11, 20));
    expect(page.meta.total).toBe(25);
    expect(page.links.next).toContain("cursor=20");
    expect(page.hasNextPage()).toBe(true);
    expect(await list).toBe(page);
    expect((await list.withResponse()).response.status).toBe(200);
    expect(server.seen.map(({ url }) => url)).toEqual(["/api/v1/websites?page=2&search=a%26b+c"]);
  });

  test("sends no query where none is given", async () => {
    await using server = await serve(pages(1));
    await new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list();
    expect(server.seen[0]?.url).toBe("/api/v1/websites");
  });

  test("goes on page by page, by cursor in place of the page number, to the last", async () => {
    await using server = await serve(pages(25));
    const list = new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list({ page: 1, sort_by: "domain" });
    const ids: number[] = [];
    const isFollowed: boolean[] = [];
    for (let page: WebsitePage | undefined = await list; page !== undefined; page = await page.nextPage()) {
      ids.push(...page.data.map(({ id }) => id));
      isFollowed.push(page.hasNextPage());
    }
    expect(ids).toEqual(range(1, 25));
    expect(isFollowed).toEqual([true, true, false]);
    expect(server.seen.slice(1).map(({ url }) => url)).toEqual([
      "/api/v1/websites?sort_by=domain&cursor=10",
      "/api/v1/websites?sort_by=domain&cursor=20",
    ]);
  });

  test("a page as JSON is the page as it was sent", async () => {
    await using server = await serve(pages(1));
    const page = await new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list();
    expect(Object.keys(JSON.parse(JSON.stringify(page)))).toEqual(["data", "links", "meta"]);
  });
});

describe("websites.list, iterated over", () => {
  test("gives every record of every page once, in order, a hundred at a time", async () => {
    await using server = await serve(pages(250));
    const list = new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list({ search: "site" });
    expect(server.seen).toEqual([]);
    expect(await gatherIds(list)).toEqual(range(1, 250));
    expect(server.seen.map(({ url }) => url)).toEqual([
      "/api/v1/websites?search=site&per_page=100",
      "/api/v1/websites?search=site&per_page=100&cursor=100",
      "/api/v1/websites?search=site&per_page=100&cursor=200",
    ]);
  });

  test("keeps the page size that the caller chose", async () => {
    await using server = await serve(pages(30));
    const list = new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list({ per_page: 25 });
    expect(await gatherIds(list)).toEqual(range(1, 30));
    expect(server.seen.map(({ url }) => url)).toEqual([
      "/api/v1/websites?per_page=25",
      "/api/v1/websites?per_page=25&cursor=25",
    ]);
  });

  test("begins at the page that the caller named, in pages of the size that it counts by", async () => {
    await using server = await serve(pages(25));
    const list = new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list({ page: 2 });
    expect(await gatherIds(list)).toEqual(range(11, 25));
  });

  test("asks for large pages also where the caller's page size is undefined", async () => {
    await using server = await serve(pages(5));
    await gatherIds(new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list({ per_page: undefined }));
    expect(server.seen[0]?.url).toBe("/api/v1/websites?per_page=100");
  });

  test("asks for no page that the loop does not reach", async () => {
    await using server = await serve(pages(250));
    for await (const { id } of new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list()) if (id === 100) break;
    expect(server.seen).toHaveLength(1);
  });

  test("ends at once on an empty list", async () => {
    await using server = await serve(pages(0));
    expect(await gatherIds(new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list())).toEqual([]);
  });

  test.each([{ data: [] }, { data: {}, meta: { next_cursor: null } }])(
    "is an ApiError where another service answers with %j",
    async (body) => {
      await using server = await serve(json(200, body));
      const list = new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list();
      await expect(gatherIds(list)).rejects.toMatchObject({ code: "unexpected_response", status: 200 });
      await expect(list).rejects.toMatchObject({ code: "unexpected_response", status: 200 });
    },
  );

  test("passes on the error of a later page", async () => {
    await using server = await serve(pages(250), problem(401, "unauthenticated"));
    const list = new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list();
    const ids: number[] = [];
    const loop = async (): Promise<void> => {
      for await (const { id } of list) ids.push(id);
    };
    await expect(loop()).rejects.toMatchObject({ code: "unauthenticated" });
    expect(ids).toEqual(range(1, 100));
  });

  test("is ended by the signal between two pages", async () => {
    await using server = await serve(pages(250));
    const controller = new AbortController();
    const list = new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list({}, { signal: controller.signal });
    const loop = async (): Promise<void> => {
      for await (const { id } of list) if (id === 100) controller.abort();
    };
    await expect(loop()).rejects.toMatchObject({ code: "aborted" });
    expect(server.seen).toHaveLength(1);
  });
});

describe("websites.list().toArray", () => {
  test.each([
    [0, 0],
    [1, 1],
    [100, 1],
    [101, 2],
    [Number.POSITIVE_INFINITY, 3],
  ])("gathers up to %d records with %d requests", async (limit, requests) => {
    await using server = await serve(pages(250));
    const websites = await new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list().toArray({ limit });
    expect(websites.map(({ id }) => id)).toEqual(range(1, Math.min(limit, 250)));
    expect(server.seen).toHaveLength(requests);
  });

  test.each([-1, Number.NaN])("refuses the limit %d", async (limit) => {
    await expect(new Siteward({ apiKey }).websites.list().toArray({ limit })).rejects.toThrow(/limit must be/);
  });
});

/** A list of so many websites whose cursor is the last id of the page before. */
function pages(total: number): Responder {
  return (response, { url }) => {
    const query = new URL(url, "http://localhost").searchParams;
    const size = Number(query.get("per_page") ?? 10);
    const skipped = Number(query.get("cursor") ?? (Number(query.get("page") ?? 1) - 1) * size);
    const last = Math.min(skipped + size, total);
    const next = last < total ? String(last) : null;
    const body = {
      data: range(skipped + 1, last).map((id) => website(id)),
      links: { first: "/api/v1/websites", prev: null, next: next === null ? null : `/api/v1/websites?cursor=${next}` },
      meta: {
        per_page: size,
        total,
        total_relation: "eq",
        current_page: null,
        last_page: null,
        next_cursor: next,
        prev_cursor: null,
      },
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
}

async function gatherIds(websites: AsyncIterable<Website>): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of websites) ids.push(id);
  return ids;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_item, index) => first + index);
}
