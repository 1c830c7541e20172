import fc from "fast-check";
import { expect, test } from "vitest";
import { SitewardError } from "../src/errors/siteward-error.ts";
import type { RawRequest } from "../src/request/build-request.ts";
import { Siteward } from "../src/siteward.ts";
import { apiKey } from "./support/keys.ts";
import { empty, hangUp, json, problem, serve } from "./support/serve.ts";

test("request sends what it is given, and returns the JSON as it is, with the response", async () => {
  await using server = await serve(json(201, { data: [1], more: null }, { etag: '"1"' }));
  const siteward = new Siteward({ apiKey, baseUrl: `${server.baseUrl}/base` });
  const call = siteward.request<{ data: number[] }>({
    method: "POST",
    path: "/api/v2/reports/7:run",
    query: { tag: ["a", "b c"], none: undefined, zero: 0 },
    body: { name: "weekly" },
  });
  const { data, response } = await call.withResponse();
  expect([data, response.status, response.etag]).toEqual([{ data: [1], more: null }, 201, '"1"']);
  expect(server.seen[0]).toMatchObject({
    method: "POST",
    url: "/base/api/v2/reports/7:run?tag=a&tag=b+c&zero=0",
    body: '{"name":"weekly"}',
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
  });
});

test.each([
  ["an empty body", empty(204), undefined],
  ["the JSON null", json(200, null), null],
])("request returns %s", async (_name, responder, result) => {
  await using server = await serve(responder);
  expect(await server.siteward.request({ method: "GET", path: "/api/v1/reports" })).toBe(result);
});

test("request has the same errors and retries as every other call: a POST with one idempotency key, a lost DELETE as done", async () => {
  await using server = await serve(hangUp, problem(409, "domain_taken"), hangUp, problem(404, "not_found"));
  const post = server.siteward.request({ method: "POST", path: "/api/v1/reports", body: {} });
  await expect(post).rejects.toMatchObject({ code: "domain_taken", attempts: 2 });
  expect(await server.siteward.request({ method: "DELETE", path: "/api/v1/reports/7" })).toBeUndefined();
  const keys = server.seen.map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toEqual([expect.any(String), keys[0], undefined, undefined]);
});

test.each<[object, string]>([
  [{ method: "get" }, "method must be GET, POST, PUT or DELETE."],
  [{ path: "//other.example/" }, "path must start with one / and contain no query or fragment."],
  [{ path: "http://other.example/" }, "path must start with one / and contain no query or fragment."],
  [{ path: "/a?b=c" }, "path must start with one / and contain no query or fragment."],
  [{ query: "a=b" }, "query must be a plain object."],
  [{ query: new URLSearchParams("a=b") }, "query must be a plain object."],
  [{ body: {} }, "body must be omitted if method is GET."],
  [{ path: undefined }, "path must start with one / and contain no query or fragment."],
])("request refuses %j", async (fields, message) => {
  const request = { method: "GET", path: "/api/v1/reports", ...fields } as RawRequest;
  const fetch = () => expect.unreachable("a request was sent");
  await expect(new Siteward({ apiKey, fetch }).request(request)).rejects.toMatchObject({
    code: "invalid_argument",
    message,
  });
});

test("request cannot leave the origin, whatever the path is", async () => {
  await using server = await serve(empty(204));
  const siteward = new Siteward({ apiKey, baseUrl: server.baseUrl, maxRetries: 0 });
  const parts = fc.constantFrom(..."/\\@:.?# \t\né", "..", "%2e", "http:", "evil.example", "80");
  const anyPath = fc.oneof(
    fc.array(parts, { maxLength: 8 }).map((list) => `/${list.join("")}`),
    fc.string(),
  );
  let sent = 0;
  const property = fc.asyncProperty(anyPath, async (path) => {
    const result: unknown = await siteward.request({ method: "GET", path }).catch((error: unknown) => error);
    if (result instanceof SitewardError) expect(result.code).toBe("invalid_argument");
    else sent += 1;
    expect(server.seen).toHaveLength(sent);
  });
  await fc.assert(property, { numRuns: 200 });
  expect(sent).toBeGreaterThan(20);
});
