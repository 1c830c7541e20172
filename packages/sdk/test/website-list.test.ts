import type { Website, WebsitePage } from "@siteward/contract/types";
import { describe, expect, test } from "vitest";
import type { ToArrayOptions } from "../src/resources/website-list.ts";
import { Siteward } from "../src/siteward.ts";
import { json, problem, type Responder, serve } from "./support/serve.ts";
import { website } from "./support/website.ts";

const apiKey = "swk_secret";

test.each([
  ["leads to itself", { next_cursor: "b" }, 2],
  ["does not say whether it is the last one", {}, 1],
])("a page that %s ends the iteration with an error, and never repeats", async (_name, meta, requests) => {
  await using server = await serve(json(200, { data: [website(1)], links: {}, meta }));
  const list = new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list();
  await expect(list.toArray({ limit: Infinity })).rejects.toMatchObject({ code: "unexpected_response", status: 200 });
  expect(server.seen).toHaveLength(requests);
});

test.each([2, 3, 7, 100])("pages that lead in a circle of %d end the iteration with an error", async (length) => {
  let requests = 0;
  const fetch = async () => {
    requests += 1;
    if (requests > 1_000) throw new Error("The iteration does not end.");
    return Response.json({ data: [website(1)], links: {}, meta: { next_cursor: `c${requests % length}` } });
  };
  const list = new Siteward({ apiKey, fetch, maxRetries: 0 }).websites.list();
  await expect(list.toArray({ limit: Infinity })).rejects.toMatchObject({
    code: "unexpected_response",
    detail: expect.stringContaining("returned pages that lead in a circle."),
  });
  expect(requests).toBeLessThanOrEqual(4 * length);
});

describe("empty pages that lead to other pages", () => {
  test("end the iteration with an error that says so if they do not end", async () => {
    await using server = await serve(emptyPages(Number.POSITIVE_INFINITY));
    const { websites } = new Siteward({ apiKey, baseUrl: server.baseUrl });
    const error = {
      code: "unexpected_response",
      detail: expect.stringContaining("returned empty pages."),
    };
    await expect(collectIds(websites.list())).rejects.toMatchObject(error);
    expect(server.seen).toHaveLength(4);
  });

  test("are skipped if they are few", async () => {
    await using server = await serve(emptyPages(3));
    expect(await collectIds(new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list())).toEqual([1]);
    expect(server.seen).toHaveLength(4);
  });
});

describe("websites.list, awaited", () => {
  test("returns one page for the query, with one request", async () => {
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
    expect(await list).toBe(page);
    expect((await list.withResponse()).response.status).toBe(200);
    expect(server.seen.map(({ url }) => url)).toEqual(["/api/v1/websites?page=2&search=a%26b+c"]);
  });

  test("returns a page as the service sent it", async () => {
    await using server = await serve(pages(1));
    const page: WebsitePage = await new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list();
    expect(Object.keys(page)).toEqual(["data", "links", "meta"]);
  });
});

describe("websites.list, iterated over", () => {
  test("returns every website on every page once, in order, 100 for each request", async () => {
    await using server = await serve(pages(250));
    const list = new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list({ search: "site" });
    expect(server.seen).toEqual([]);
    expect(await collectIds(list)).toEqual(range(1, 250));
    expect(server.seen.map(({ url }) => url)).toEqual([
      "/api/v1/websites?search=site&per_page=100",
      "/api/v1/websites?search=site&per_page=100&cursor=100",
      "/api/v1/websites?search=site&per_page=100&cursor=200",
    ]);
  });

  test("keeps the page size that the caller chose", async () => {
    await using server = await serve(pages(30));
    const list = new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list({ per_page: 25 });
    expect(await collectIds(list)).toEqual(range(1, 30));
    expect(server.seen.map(({ url }) => url)).toEqual([
      "/api/v1/websites?per_page=25",
      "/api/v1/websites?per_page=25&cursor=25",
    ]);
  });

  test("starts at the page that the caller chose, with the page size that its number counts in", async () => {
    await using server = await serve(pages(25));
    const list = new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list({ page: 2 });
    expect(await collectIds(list)).toEqual(range(11, 25));
    expect(server.seen.map(({ url }) => url)).toEqual(["/api/v1/websites?page=2", "/api/v1/websites?cursor=20"]);
  });

  test("requests no page that the loop does not reach", async () => {
    await using server = await serve(pages(250));
    for await (const { id } of new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list()) if (id === 100) break;
    expect(server.seen).toHaveLength(1);
  });

  test.each([{ data: [] }, { data: {}, meta: { next_cursor: null } }])(
    "rejects with an ApiError if another service answers with %j",
    async (body) => {
      await using server = await serve(json(200, body));
      const list = new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list();
      await expect(collectIds(list)).rejects.toMatchObject({ code: "unexpected_response", status: 200 });
      await expect(list).rejects.toMatchObject({ code: "unexpected_response", status: 200 });
    },
  );

  test("rejects with the error of a later page", async () => {
    await using server = await serve(pages(250), problem(401, "unauthenticated"));
    const list = new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list();
    const ids: number[] = [];
    const loop = async (): Promise<void> => {
      for await (const { id } of list) ids.push(id);
    };
    await expect(loop()).rejects.toMatchObject({ code: "unauthenticated" });
    expect(ids).toEqual(range(1, 100));
  });

  test("ends between two pages if the signal is aborted", async () => {
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
    [100, 1],
    [101, 2],
    [100.5, 1],
    [Number.POSITIVE_INFINITY, 3],
  ])("collects up to %d websites with %d requests", async (limit, requests) => {
    await using server = await serve(pages(250));
    const websites = await new Siteward({ apiKey, baseUrl: server.baseUrl }).websites.list().toArray({ limit });
    expect(websites.map(({ id }) => id)).toEqual(range(1, Math.min(Math.floor(limit), 250)));
    expect(server.seen).toHaveLength(requests);
  });

  test.each([undefined, null, {}, ...[undefined, null, -1, Number.NaN, "1"].map((limit) => ({ limit }))])(
    "refuses the options %j",
    async (options) => {
      // A program without types may pass anything.
      const call = new Siteward({ apiKey }).websites.list().toArray(options as ToArrayOptions);
      const message = "limit must be a number of at least 0, or Infinity.";
      await expect(call).rejects.toMatchObject({ code: "invalid_argument", message });
    },
  );
});

/** Answers as a service with `total` websites. Its cursor is the last id of the previous page. */
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

/** Answers with empty pages, each with a new cursor, and then with a last page. */
function emptyPages(count: number): Responder {
  let sent = 0;
  return (response) => {
    const isEmpty = sent++ < count;
    const body = { data: isEmpty ? [] : [website(1)], links: {}, meta: { next_cursor: isEmpty ? `c${sent}` : null } };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
}

async function collectIds(websites: AsyncIterable<Website>): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of websites) ids.push(id);
  return ids;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_item, index) => first + index);
}
