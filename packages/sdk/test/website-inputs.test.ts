import { describe, expect, test } from "vitest";
import { Siteward } from "../src/siteward.ts";
import { apiKey } from "./support/keys.ts";
import { json, problem, type Responder, serve, type TestServer } from "./support/serve.ts";
import { website } from "./support/website.ts";

const found = website(7, { domain: "example.com", privacy: 2, has_password: true });
const taken = problem(409, "domain_taken", { website_id: 7 });
const gone = problem(404, "not_found");

describe("a record that is handed back", () => {
  test("is sent without its read-only fields, once its domain was compared, in any spelling", async () => {
    await using server = await serve(json(200, { data: { ...found, domain: "xn--bcher-kva.example" } }));
    const domain: string = "Bücher.example";
    await connect(server).update(7, { ...found, domain, email: 1, exclude_ips: null });
    expect(requests(server)).toEqual([
      ["GET", "/api/v1/websites/7", undefined],
      ["PUT", "/api/v1/websites/7", { privacy: 2, email: 1, exclude_bots: 1, exclude_params: [], exclude_ips: [] }],
    ]);
  });

  test.each([
    ["another domain", { domain: "other.example" }],
    ["what is no domain", { domain: "https://example.com" }],
  ])("with %s is refused, and nothing is changed", async (_what, change) => {
    await using server = await serve(json(200, { data: found }));
    const call = connect(server).update(7, { ...found, ...change });
    await expect(call).rejects.toMatchObject({
      name: "InvalidArgumentError",
      message: expect.stringContaining("domain cannot be changed. Pass example.com, or omit it."),
    });
    expect(requests(server)).toEqual([["GET", "/api/v1/websites/7", undefined]]);
  });

  test("of another website is refused before anything is sent", async () => {
    await using server = await serve(json(200, { data: found }));
    await expect(connect(server).update(8, found)).rejects.toThrow("id cannot be changed. Pass 8, or omit it.");
    expect(server.seen).toEqual([]);
  });

  test("is updated with its condition, after a read without it", async () => {
    await using server = await serve(json(200, { data: found }));
    await connect(server).update(7, { ...found, email: 1 }, { ifMatch: '"7-1"' });
    expect(server.seen.map(({ headers }) => headers["if-match"])).toEqual([undefined, '"7-1"']);
  });

  test("can be created in another account, with its domain", async () => {
    await using server = await serve(json(201, { data: found }));
    await connect(server).create({ ...found, password: "correct horse" });
    const { id: _, has_password: __, created_at: ___, updated_at: ____, ...fields } = found;
    expect(requests(server)).toEqual([["POST", "/api/v1/websites", { ...fields, password: "correct horse" }]]);
  });
});

test("null is the empty list for a create, an update and an upsert, and no other field", async () => {
  await using server = await serve(json(201, { data: found }), json(200, { data: found }), json(201, { data: found }));
  const websites = connect(server);
  const lists = { exclude_params: null, exclude_ips: null };
  await websites.create({ domain: "a.example", ...lists });
  // A program without types may pass anything.
  await websites.update(7, { ...lists, privacy: null as never });
  await websites.upsert({ domain: "a.example", ...lists });
  const empty = { exclude_params: [], exclude_ips: [] };
  expect(requests(server).map(([, , body]) => body)).toEqual([
    { domain: "a.example", ...empty },
    { ...empty, privacy: null },
    { domain: "a.example", ...empty },
  ]);
});

describe("upsert", () => {
  test("updates the website that has the domain, with the status 200", async () => {
    await using server = await serve(taken, json(200, { data: found }));
    const call = connect(server)
      .upsert({ ...found, password: "correct horse" })
      .withResponse();
    const { data, response } = await call;
    expect([data, response.status]).toEqual([found, 200]);
    const [, update] = requests(server);
    const { domain: _, id: __, has_password: ___, created_at: ____, updated_at: _____, ...fields } = found;
    expect(update).toEqual(["PUT", "/api/v1/websites/7", { ...fields, password: "correct horse" }]);
  });

  test("creates the website again if it was deleted meanwhile, with another idempotency key", async () => {
    await using server = await serve(taken, gone, json(201, { data: website(8) }));
    const { data, response } = await connect(server).upsert({ domain: "example.com" }).withResponse();
    expect([data.id, response.status]).toEqual([8, 201]);
    const [first, , second] = server.seen.map(({ headers }) => headers["idempotency-key"]);
    expect([typeof first, typeof second]).toEqual(["string", "string"]);
    expect(second).not.toBe(first);
  });

  test("fails after 100 requests if others keep deleting and creating the website", async () => {
    const alternate: Responder = (response, seen) => (seen.method === "POST" ? taken : gone)(response, seen);
    await using server = await serve(alternate);
    await expect(connect(server).upsert({ domain: "example.com" })).rejects.toMatchObject({ code: "not_found" });
    expect(server.seen).toHaveLength(100);
  });

  test.each([
    ["the create, if it is not about the domain", [problem(403, "website_limit_reached")], "website_limit_reached"],
    ["the create, if it does not say which website has the domain", [problem(409, "domain_taken")], "domain_taken"],
    ["the update", [taken, problem(422, "validation_failed")], "validation_failed"],
  ])("fails with the error of %s", async (_which, responders, code) => {
    await using server = await serve(...responders);
    await expect(connect(server).upsert({ domain: "example.com" })).rejects.toMatchObject({ code });
    expect(server.seen).toHaveLength(responders.length);
  });
});

describe("getByDomain", () => {
  test("returns the website whose domain is the canonical form, not one that only contains it", async () => {
    const domains = ["a.xn--bcher-kva.example", "xn--bcher-kva.example", "xn--bcher-kva.example.org"];
    await using server = await serve(page(domains));
    expect((await connect(server).getByDomain(" Bücher.Example. "))?.domain).toBe("xn--bcher-kva.example");
    const url = new URL(server.seen[0]?.url ?? "", "http://localhost");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      search: "xn--bcher-kva.example",
      sort_by: "domain",
      sort: "asc",
      per_page: "100",
    });
  });

  test("returns undefined if there is none, and requests no page after the place where it would be", async () => {
    await using server = await serve(page(["a.example.com", "m.example.com"], "next"));
    expect(await connect(server).getByDomain("example.com")).toBeUndefined();
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    ["https://example.com", "a URL"],
    [`${"a.".repeat(124)}example`, "a name that is too long"],
  ])("refuses %j, %s, before anything is sent", async (domain) => {
    await using server = await serve(page([]));
    await expect(connect(server).getByDomain(domain)).rejects.toThrow(
      'domain must be a host name, such as "example.com".',
    );
    expect(server.seen).toEqual([]);
  });
});

function connect({ baseUrl }: TestServer): Siteward["websites"] {
  return new Siteward({ apiKey, baseUrl, maxRetries: 0 }).websites;
}

function requests({ seen }: TestServer): [string | undefined, string, unknown][] {
  return seen.map(({ method, url, body }) => [method, url, body === "" ? undefined : JSON.parse(body)]);
}

function page(domains: readonly string[], nextCursor: string | null = null): Responder {
  const data = domains.map((domain, index) => website(index + 1, { domain }));
  return json(200, { data, links: {}, meta: { next_cursor: nextCursor } });
}
