import type { Website, WebsitePage } from "@siteward/contract";
import { expect, test } from "vitest";
import { describeOnEveryEngine } from "./support/engines.ts";
import { newWebsite } from "./support/storage/open-test-storage.ts";
import type { TestEngine } from "./support/test-database.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const path = "/api/v1/websites";

describeOnEveryEngine("list, 200", (engine) => {
  test("without parameters returns the ten newest, newest first", async () => {
    await using server = await startWith(engine, names(25));
    const { data, meta, links } = (await server.call("GET", path)).page;
    expect(data.map(({ id }) => id)).toEqual([25, 24, 23, 22, 21, 20, 19, 18, 17, 16]);
    expect(meta).toMatchObject({
      per_page: 10,
      total: 25,
      total_relation: "eq",
      current_page: 1,
      last_page: 3,
      prev_cursor: null,
    });
    expect(links).toMatchObject({ first: `${server.url}${path}`, prev: null });
  });

  test("an empty account has one empty page", async () => {
    await using server = await startTestServer(engine);
    expect((await server.call("GET", path)).page).toEqual({
      data: [],
      links: { first: `${server.url}${path}`, prev: null, next: null },
      meta: {
        per_page: 10,
        total: 0,
        total_relation: "eq",
        current_page: 1,
        last_page: 1,
        next_cursor: null,
        prev_cursor: null,
      },
    });
  });

  test.for([
    ["sort_by=id&sort=desc", [3, 2, 1]],
    ["sort_by=id&sort=asc", [1, 2, 3]],
    ["sort_by=domain&sort=asc", [3, 1, 2]],
    ["sort_by=domain&sort=desc", [2, 1, 3]],
    ["sort=asc", [1, 2, 3]],
    ["sort_by=domain", [2, 1, 3]],
  ] as const)("%s returns the order %j", async ([query, ids]) => {
    await using server = await startWith(engine, ["b-.example", "b.example", "a.example"]);
    expect((await server.call("GET", `${path}?${query}`)).page.data.map(({ id }) => id)).toEqual(ids);
  });

  test.for([10, 25, 50, 100])("per_page %i returns as many records", async (perPage) => {
    await using server = await startWith(engine, names(101));
    const { data, meta } = (await server.call("GET", `${path}?per_page=${perPage}`)).page;
    expect([data.length, meta.per_page, meta.last_page]).toEqual([perPage, perPage, Math.ceil(101 / perPage)]);
  });

  test("every page by number has the next records, and pages past the last one have none", async () => {
    await using server = await startWith(engine, names(25));
    const pages = await Promise.all(
      [1, 2, 3, 4, 9].map(async (page) => (await server.call("GET", `${path}?page=${page}&sort=asc`)).page),
    );
    expect(pages.map(({ data }) => data.map(({ id }) => id))).toEqual([
      range(1, 10),
      range(11, 20),
      range(21, 25),
      [],
      [],
    ]);
    expect(pages.map(({ meta }) => [meta.current_page, meta.last_page])).toEqual(
      [1, 2, 3, 4, 9].map((page) => [page, 3]),
    );
    expect(pages.map(({ links }) => links.next !== null)).toEqual([true, true, false, false, false]);
    expect(pages.slice(0, 3).map(({ links }) => links.prev !== null)).toEqual([false, true, true]);
  });

  test.for(["page=0", "page="])("%s is the first page, with the same answer", async (query) => {
    await using server = await startWith(engine, names(25));
    const first = (await server.call("GET", `${path}?page=1`)).page;
    expect(first.meta.current_page).toBe(1);
    expect((await server.call("GET", `${path}?${query}`)).page).toEqual(first);
  });

  test("page and last page are null with a cursor", async () => {
    await using server = await startWith(engine, names(25));
    const first = (await server.call("GET", path)).page;
    const second = await follow(server, first.links.next);
    expect(second.meta).toMatchObject({ current_page: null, last_page: null, total: 25, total_relation: "eq" });
  });

  test.for([
    "",
    "sort=asc",
    "sort_by=domain",
    "sort_by=domain&sort=asc",
    "search=site",
    "search=SITE-1&sort_by=domain&sort=asc",
  ])("links that are followed to the end and back return every record once, in order: %j", async (query) => {
    await using server = await startWith(engine, names(120));
    const all = (await everything(server, query)).map(({ id }) => id);
    const forward = await walk(server, `${server.url}${path}?${query}`, "next");
    const backward = await walk(server, forward.at(-1)?.url ?? "", "prev");
    expect(forward.flatMap(({ page }) => page.data.map(({ id }) => id))).toEqual(all);
    expect(backward.reverse().flatMap(({ page }) => page.data.map(({ id }) => id))).toEqual(all);
  });

  test("following links neither repeats nor skips a record while others are created and deleted", async () => {
    await using server = await startWith(engine, names(120));
    const seen: number[] = [];
    let next: string | null = `${server.url}${path}?per_page=25`;
    for (let round = 0; next !== null; round += 1) {
      const page: WebsitePage = await follow(server, next);
      seen.push(...page.data.map(({ id }) => id));
      // The last record seen, one far ahead, and a new one before all others.
      await server.call("DELETE", `${path}/${page.data.at(-1)?.id}`);
      await server.call("DELETE", `${path}/${round + 1}`);
      await server.call("POST", path, { form: { domain: `new-${round}.example` } });
      next = page.links.next;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(
      range(1, 120)
        .reverse()
        .filter((id) => seen.includes(id)),
    );
    expect(range(6, 120).filter((id) => !seen.includes(id))).toEqual([]);
  });

  test("following links back finds the same records, even if the record at the cursor was deleted", async () => {
    await using server = await startWith(engine, names(30));
    const first = (await server.call("GET", `${path}?sort=asc`)).page;
    const second = await follow(server, first.links.next);
    await server.call("DELETE", `${path}/11`);
    const back = await follow(server, second.links.prev);
    expect(back.data.map(({ id }) => id)).toEqual(range(1, 10));
    await server.call("DELETE", `${path}/10`);
    expect((await follow(server, first.links.next)).data.map(({ id }) => id)).toEqual(range(12, 21));
  });

  test("links contain the parameters and need only the key", async () => {
    await using server = await startWith(engine, names(120));
    const query = "search=%20Site%20&sort_by=domain&sort=asc&per_page=25";
    const { links } = (await server.call("GET", `${path}?${query}`)).page;
    const parameters = Object.fromEntries(new URL(links.next ?? "").searchParams);
    expect(parameters).toEqual({
      search: "Site",
      sort_by: "domain",
      sort: "asc",
      per_page: "25",
      cursor: expect.any(String),
    });
    expect((await follow(server, links.next)).data).toHaveLength(25);
    expect((await follow(server, links.first)).meta.prev_cursor).toBeNull();
  });

  test("links begin with the public URL if one is set", async () => {
    await using server = await startWith(engine, names(11), "https://siteward.example");
    const { links } = (await server.call("GET", path)).page;
    expect(links.first).toBe("https://siteward.example/api/v1/websites");
    expect(links.next).toMatch(/^https:\/\/siteward\.example\/api\/v1\/websites\?cursor=/);
  });
});

describeOnEveryEngine("search", (engine) => {
  const domains = ["shop.example.com", "example.org", "xn--bcher-kva.example", "100.example.net", "a-b.example"];

  test.for([
    ["example", ["a-b.example", "100.example.net", "xn--bcher-kva.example", "example.org", "shop.example.com"]],
    ["EXAMPLE.c", ["shop.example.com"]],
    ["  shop ", ["shop.example.com"]],
    [".", ["a-b.example", "100.example.net", "xn--bcher-kva.example", "example.org", "shop.example.com"]],
    ["or", ["example.org"]],
    ["a-b", ["a-b.example"]],
    ["10", ["100.example.net"]],
    ["bücher", ["xn--bcher-kva.example"]],
    ["BÜCHER.EX", ["xn--bcher-kva.example"]],
    ["xn--bcher", ["xn--bcher-kva.example"]],
    ["%", []],
    ["_", []],
    ["a_b", []],
    ["e%e", []],
    ["*", []],
    ["\\", []],
    ["'", []],
    ['"', []],
    ["example' or '1'='1", []],
    ["\u0000", []],
    ["nothing-like-it", []],
    ["🦊", []],
  ] as const)("%j finds %j", async ([search, found]) => {
    await using server = await startWith(engine, domains);
    const { data, meta } = (await server.call("GET", `${path}?${new URLSearchParams({ search, search_by: "domain" })}`))
      .page;
    expect(data.map(({ domain }) => domain)).toEqual(found);
    expect([meta.total, meta.total_relation]).toEqual([found.length, "eq"]);
  });

  test("more than 10,000 matches are counted as at least that many, without a last page; an entire list is counted exactly", async () => {
    await using server = await startWith(
      engine,
      range(1, 10_001).map((id) => `site-${id}.example`),
    );
    const found = (await server.call("GET", `${path}?search=site`)).page;
    expect(found.meta).toMatchObject({ total: 10_000, total_relation: "gte", current_page: 1, last_page: null });
    expect(found.links.next).not.toBeNull();
    const all = (await server.call("GET", path)).page;
    expect(all.meta).toMatchObject({ total: 10_001, total_relation: "eq", current_page: 1, last_page: 1001 });
  });

  test.for(["", "%20", "%20%20"])("an empty term (%j) is none", async (search) => {
    await using server = await startWith(engine, domains);
    expect((await server.call("GET", `${path}?search=${search}`)).page.data).toHaveLength(domains.length);
  });
});

describeOnEveryEngine("list, 422", (engine) => {
  test.for([
    ["search_by=name", ["search_by"]],
    ["search_by=", ["search_by"]],
    ["sort_by=name", ["sort_by"]],
    ["sort=up", ["sort"]],
    ["sort=ASC", ["sort"]],
    ["per_page=11", ["per_page"]],
    ["per_page=0", ["per_page"]],
    ["per_page=", ["per_page"]],
    ["per_page=1e1", ["per_page"]],
    ["page=00", ["page"]],
    ["page=-1", ["page"]],
    ["page=1.5", ["page"]],
    ["page=x", ["page"]],
    ["page=01", ["page"]],
    ["sort=asc&sort=asc", ["sort"]],
    ["search=a&search=b", ["search"]],
    ["cursor=a&cursor=b", ["cursor"]],
    [`search=${"x".repeat(254)}`, ["search"]],
    ["unknown=1", ["unknown"]],
    ["__proto__=1", ["__proto__"]],
    ["constructor[prototype]=1", ["constructor[prototype]"]],
    ["page=1&cursor=x", ["cursor"]],
    ["page=0&cursor=x", ["cursor"]],
    ["page=&cursor=x", ["cursor"]],
    ["sort=x&per_page=9&page=-0&foo=1", ["sort", "per_page", "page", "foo"]],
  ] as const)("%s is refused, and the answer names it", async ([query, refused]) => {
    await using server = await startTestServer(engine);
    const answer = await server.call("GET", `${path}?${query}`);
    expect(answer.refusal).toEqual([422, "validation_failed"]);
    // The schema's record omits a member named __proto__, so the names are read from the text.
    expect(Object.keys(JSON.parse(answer.text).errors).sort()).toEqual([...refused].sort());
  });

  test("page together with a valid cursor is refused", async () => {
    await using server = await startWith(engine, names(11));
    const cursor = (await server.call("GET", path)).page.meta.next_cursor;
    const answer = await server.call("GET", `${path}?page=1&cursor=${cursor}`);
    expect(Object.keys(answer.problem.errors ?? {})).toEqual(["cursor"]);
  });

  test.for(["sort=asc", "sort_by=domain", "search=site", "sort_by=domain&sort=asc&search=site"])(
    "a cursor of another list is refused: %s",
    async (query) => {
      await using server = await startWith(engine, names(11));
      const cursor = (await server.call("GET", path)).page.meta.next_cursor;
      const answer = await server.call("GET", `${path}?${query}&cursor=${cursor}`);
      expect(answer.problem.errors).toEqual({ cursor: [expect.stringContaining("another search, sort_by or sort")] });
    },
  );

  test("a cursor works with another per_page", async () => {
    await using server = await startWith(engine, names(40));
    const cursor = (await server.call("GET", path)).page.meta.next_cursor;
    expect((await server.call("GET", `${path}?per_page=25&cursor=${cursor}`)).page.data.map(({ id }) => id)).toEqual(
      range(6, 30).reverse(),
    );
  });

  test.for([
    "",
    "x",
    "%00",
    "bnVsbA",
    "W10",
    "ü",
    "x".repeat(5000),
    cursorOf([1, "id.desc", "forward", "after", "x"]),
    cursorOf([1, "id.desc", "forward", "after", 1.5]),
    cursorOf([1, "id.desc", "forward", "beside", 1]),
    cursorOf([1, "id.desc", "sideways", "after", 1]),
    cursorOf([2, "id.desc", "forward", "after", 1]),
  ])("a text that is not a cursor is refused: %.40s", async (cursor) => {
    await using server = await startTestServer(engine);
    const answer = await server.call("GET", `${path}?cursor=${encodeURIComponent(cursor)}`);
    expect(answer.refusal).toEqual([422, "validation_failed"]);
    expect(Object.keys(answer.problem.errors ?? {})).toEqual(["cursor"]);
  });

  test.for([
    [1, -1],
    [1, 0],
    [1, Number.MAX_SAFE_INTEGER],
  ])("a cursor that was written by hand reaches only the caller's own list: %j", async ([version, key]) => {
    await using server = await startWith(engine, ["example.com"]);
    const cursor = cursorOf([version, "id.desc", "forward", "after", key]);
    expect((await server.call("GET", `${path}?cursor=${cursor}`)).status).toBe(200);
  });

  test("a cursor by domain must contain a domain", async () => {
    await using server = await startTestServer(engine);
    for (const key of ["\u0000", "x".repeat(254), 1]) {
      const answer = await server.call(
        "GET",
        `${path}?sort_by=domain&cursor=${cursorOf([1, "domain.desc", "forward", "after", key])}`,
      );
      expect(answer.refusal).toEqual([422, "validation_failed"]);
    }
  });

  test("a page that skips 100,000 records is returned, and the refusal of one that skips more names the cursor", async () => {
    await using server = await startTestServer(engine);
    expect((await server.call("GET", `${path}?page=1001&per_page=100`)).page.data).toEqual([]);
    for (const query of ["page=1002&per_page=100", "page=10002", "page=999999999999999"]) {
      const answer = await server.call("GET", `${path}?${query}`);
      expect(answer.problem.errors).toEqual({ page: [expect.stringContaining("cursor")] });
    }
  });
});

async function startWith(engine: TestEngine, domains: readonly string[], publicUrl?: string): Promise<TestServer> {
  const server = await startTestServer(engine, publicUrl === undefined ? {} : { publicUrl });
  for (const domain of domains) await server.storage.websites.create(server.accountId, newWebsite(domain));
  return server;
}

/** Domains whose order differs from the order of their ids. */
function names(count: number): string[] {
  return range(1, count).map((id) => `site-${(id * 37) % 1009}.example`);
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

async function follow(server: TestServer, link: string | null): Promise<WebsitePage> {
  const { pathname, search } = new URL(link ?? "");
  return (await server.call("GET", `${pathname}${search}`)).page;
}

/** Follows a link until there is no next one. */
async function walk(
  server: TestServer,
  start: string,
  direction: "next" | "prev",
): Promise<Array<{ url: string; page: WebsitePage }>> {
  const pages: Array<{ url: string; page: WebsitePage }> = [];
  let url: string | null = start;
  while (url !== null) {
    const page: WebsitePage = await follow(server, url);
    pages.push({ url, page });
    url = page.links[direction];
  }
  return pages;
}

/** Reads every record by page number, which is another way to read the same list. */
async function everything(server: TestServer, query: string): Promise<Website[]> {
  const pages = [];
  for (const page of [1, 2])
    pages.push((await server.call("GET", `${path}?${query}&per_page=100&page=${page}`)).page.data);
  return pages.flat();
}

function cursorOf(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}
