import type { Website } from "@siteward/contract/types";
import { describe, expect, test } from "vitest";
import type { ToArrayOptions } from "../src/resources/website-list.ts";
import { Siteward } from "../src/siteward.ts";
import { createFakeSiteward } from "../src/testing/index.ts";
import { apiKey } from "./support/keys.ts";
import { json, type Responder, serve } from "./support/serve.ts";
import { website } from "./support/website.ts";

test.each([
  [1, "that the service does not send."],
  [2, "returned pages that lead in a circle."],
  [100, "returned pages that lead in a circle."],
])("pages that lead in a circle of %d end the iteration with an error", async (length, detail) => {
  let requests = 0;
  const fetch = async () => {
    requests += 1;
    if (requests > 1_000) throw new Error("The iteration does not end.");
    return Response.json({ data: [website(1)], links: {}, meta: { next_cursor: `c${requests % length}` } });
  };
  const list = new Siteward({ apiKey, fetch, maxRetries: 0 }).websites.list();
  await expect(list.toArray({ limit: Infinity })).rejects.toMatchObject({
    code: "unexpected_response",
    detail: expect.stringContaining(detail),
  });
  expect(requests).toBeLessThanOrEqual(4 * length);
});

const isEndless = { code: "unexpected_response", detail: expect.stringContaining("returned empty pages.") };
test.each([
  ["end the iteration with an error that says so if they do not end", Number.POSITIVE_INFINITY, isEndless],
  ["are skipped if they are few", 3, [1]],
])("empty pages that lead to other pages %s", async (_what, count, expected) => {
  await using server = await serve(emptyPages(count));
  expect(await collectIds(server.siteward.websites.list()).catch((error) => error)).toMatchObject(expected);
  expect(server.seen).toHaveLength(4);
});

test("websites.list, awaited returns one page for the query as the service sent it, with one request", async () => {
  const { fake, websites } = open(25);
  const list = websites.list({ page: 2, search: "site", sort: undefined });
  const page = await list;
  expect(Object.keys(page)).toEqual(["data", "links", "meta"]);
  expect([idsOf(page.data), page.meta.total]).toEqual([range(15, 6), 25]);
  expect(await list).toBe(page);
  expect((await list.withResponse()).response.status).toBe(200);
  expect(fake.requests.map(({ query }) => query)).toEqual([{ page: "2", search: "site" }]);
});

const cursor = expect.any(String);

describe("websites.list, iterated over", () => {
  test.each([
    ["100 for each request", 250, { search: "site" }, range(250, 1), { search: "site", per_page: "100" }],
    ["in pages of the caller's size", 30, { per_page: 25 } as const, range(30, 1), { per_page: "25" }],
  ])("returns every website on every page once, in order, %s", async (_how, count, query, ids, sent) => {
    const { fake, websites } = open(count);
    const list = websites.list(query);
    expect(fake.requests).toEqual([]);
    expect(await collectIds(list)).toEqual(ids);
    const [first, ...others] = fake.requests.map((request) => request.query);
    expect(first).toEqual(sent);
    expect(new Set(others.map((one) => one["cursor"])).size).toBe(Math.ceil(count / Number(sent.per_page)) - 1);
    for (const other of others) expect(other).toEqual({ ...sent, cursor });
  });

  test("starts at the page that the caller chose, with the page size that its number counts in", async () => {
    const { fake, websites } = open(25);
    expect(await collectIds(websites.list({ page: 2 }))).toEqual(range(15, 1));
    expect(fake.requests.map(({ query }) => query)).toEqual([{ page: "2" }, { cursor }]);
  });

  test("requests no page that the loop does not reach", async () => {
    const { fake, websites } = open(250);
    for await (const { id } of websites.list()) if (id === 151) break;
    for await (const page of websites.list().pages()) if (page.data.length === 100) break;
    expect(fake.requests).toHaveLength(2);
  });

  test.each([{ data: [] }, { data: [website(1)], meta: {} }, { data: {}, meta: { next_cursor: null } }])(
    "rejects with an ApiError if another service answers with %j",
    async (body) => {
      await using server = await serve(json(200, body));
      const list = server.siteward.websites.list();
      await expect(collectIds(list)).rejects.toMatchObject({ code: "unexpected_response", status: 200 });
      await expect(list).rejects.toMatchObject({ code: "unexpected_response", status: 200 });
    },
  );

  test("rejects with the error of a later page, and between two pages if the signal is aborted", async () => {
    const { fake, websites } = open(250);
    const controller = new AbortController();
    const ids: number[] = [];
    const loop = async (atLast: () => void, signal?: AbortSignal): Promise<void> => {
      for await (const { id } of websites.list({}, { signal })) {
        ids.push(id);
        if (id === 151) atLast();
      }
    };
    await expect(loop(() => fake.failNext({ code: "unauthenticated" }))).rejects.toMatchObject({
      code: "unauthenticated",
    });
    await expect(loop(() => controller.abort(), controller.signal)).rejects.toMatchObject({ code: "aborted" });
    expect(ids).toEqual([...range(250, 151), ...range(250, 151)]);
    expect(fake.requests).toHaveLength(3);
  });
});

test.each([
  [0, 0],
  [100, 1],
  [101, 2],
  [100.5, 1],
  [Number.POSITIVE_INFINITY, 3],
])("websites.list().toArray collects up to %d websites with %d requests", async (limit, requests) => {
  const { fake, websites } = open(250);
  expect(idsOf(await websites.list().toArray({ limit }))).toEqual(range(250, 1).slice(0, limit));
  expect(fake.requests).toHaveLength(requests);
});

test.each([undefined, null, {}, ...[undefined, null, -1, Number.NaN, "1"].map((limit) => ({ limit }))])(
  "websites.list().toArray refuses the options %j",
  async (options) => {
    // A program without types may pass anything.
    const call = new Siteward({ apiKey }).websites.list().toArray(options as ToArrayOptions);
    const message = "limit must be a number of at least 0, or Infinity.";
    await expect(call).rejects.toMatchObject({ code: "invalid_argument", message });
  },
);

/** A service with this many websites, of which it lists the newest first. */
function open(count: number) {
  const fake = createFakeSiteward({ websites: range(count, 1).map((id) => ({ domain: `site-${id}.example` })) });
  return { fake, websites: new Siteward(fake.clientOptions).websites };
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

function idsOf(websites: readonly Website[]): number[] {
  return websites.map(({ id }) => id);
}

/** Counts down. */
function range(first: number, last: number): number[] {
  return Array.from({ length: first - last + 1 }, (_item, index) => first - index);
}
