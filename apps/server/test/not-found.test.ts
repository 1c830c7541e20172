import { expect, test } from "vitest";
import { describeOnEveryEngine } from "./support/engines.ts";
import { startTestServer } from "./support/test-server.ts";

const neverWas = 4711;

/** Strings that are not IDs. */
const badIds = [
  "0",
  "-1",
  "1.5",
  "abc",
  "007",
  "01",
  "1e3",
  "0x1",
  "+1",
  "1%20",
  "%201",
  "1%00",
  "null",
  "NaN",
  "٣",
  "9".repeat(15),
  "9".repeat(400),
  "1;2",
  "1,2",
];

describeOnEveryEngine("not_found, 404", (engine) => {
  test.for(["/HEALTHZ", "/Readyz", "/OpenAPI.json", "/Docs/errors", "/docs/errors/NOT_FOUND", "/API/v1/websites"])(
    "%s is not found, because paths are case-sensitive",
    async (path) => {
      await using server = await startTestServer(engine);
      expect((await server.call("GET", path)).refusal).toEqual([404, "not_found"]);
    },
  );

  test.for(badIds)("the id %s gets the same answer as an id that was never used", async (id) => {
    await using server = await startTestServer(engine);
    for (const method of ["GET", "PUT", "DELETE"]) {
      const expected = await server.call(method, `/api/v1/websites/${neverWas}`, {
        headers: { "X-Request-Id": "same" },
      });
      const answer = await server.call(method, `/api/v1/websites/${id}`, { headers: { "X-Request-Id": "same" } });
      expect(answer.refusal).toEqual([404, "not_found"]);
      expect(answer.text).toBe(expected.text);
    }
  });

  test.for(["GET", "PUT", "DELETE"])(
    "%s of another account's id gets the same answer as an id that was never used",
    async (method) => {
      await using server = await startTestServer(engine);
      const other = await server.addAccount();
      const { id } = (
        await server.call("POST", "/api/v1/websites", { key: other.key, form: { domain: "example.com" } })
      ).website;
      const options = { headers: { "X-Request-Id": "same" }, ...(method === "PUT" ? { form: { email: 1 } } : {}) };
      const expected = await server.call(method, `/api/v1/websites/${neverWas}`, options);
      const answer = await server.call(method, `/api/v1/websites/${id}`, options);
      expect(answer.refusal).toEqual([404, "not_found"]);
      expect(answer.text).toBe(expected.text);
      expect((await server.call("GET", `/api/v1/websites/${id}`, { key: other.key })).website.email).toBe(0);
    },
  );

  test.for([{ privacy: 2, password: "correct horse" }, { privacy: 2 }, { password: "correct horse" }])(
    "a password sent to another account's id reveals nothing about its record: %o",
    async (form) => {
      await using server = await startTestServer(engine);
      const other = await server.addAccount();
      await server.call("POST", "/api/v1/websites", {
        key: other.key,
        form: { domain: "example.com", privacy: 2, password: "long enough" },
      });
      expect((await server.call("PUT", "/api/v1/websites/1", { form })).refusal).toEqual([404, "not_found"]);
    },
  );

  test("another account's websites are neither listed nor counted, and do not block a domain", async () => {
    await using server = await startTestServer(engine);
    const other = await server.addAccount();
    await server.call("POST", "/api/v1/websites", { key: other.key, form: { domain: "example.com" } });
    const { data, meta } = (await server.call("GET", "/api/v1/websites?search=example")).page;
    expect([data, meta.total]).toEqual([[], 0]);
    expect((await server.call("GET", "/api/v1/account")).account.websites.count).toBe(0);
    expect((await server.call("POST", "/api/v1/websites", { form: { domain: "example.com" } })).website.id).toBe(1);
  });

  test("a cursor of another account lists only the caller's own websites", async () => {
    await using server = await startTestServer(engine);
    const other = await server.addAccount();
    for (let number = 0; number < 11; number += 1) {
      await server.call("POST", "/api/v1/websites", { key: other.key, form: { domain: `other-${number}.example` } });
      await server.call("POST", "/api/v1/websites", { form: { domain: `own-${number}.example` } });
    }
    const cursor = (await server.call("GET", "/api/v1/websites", { key: other.key })).page.meta.next_cursor;
    const { data } = (await server.call("GET", `/api/v1/websites?cursor=${cursor}`)).page;
    expect(data.map(({ domain }) => domain)).toEqual(["own-0.example"]);
  });

  test("a deleted id is not found by any method and never used again", async () => {
    await using server = await startTestServer(engine);
    await server.call("POST", "/api/v1/websites", { form: { domain: "example.com" } });
    expect((await server.call("DELETE", "/api/v1/websites/1")).status).toBe(204);
    for (const method of ["GET", "PUT", "DELETE"]) {
      expect((await server.call(method, "/api/v1/websites/1")).refusal).toEqual([404, "not_found"]);
    }
    expect((await server.call("POST", "/api/v1/websites", { form: { domain: "example.com" } })).website.id).toBe(2);
  });

  test.for([
    "/",
    "/api",
    "/api/v1/nothing",
    "/api/v1/websites/1/more",
    "//api/v1/websites",
    "/api/v1/websites/%zz",
    "/%",
    "/docs/errors/nothing",
    "/<script>",
  ])("%s is not found, and the answer has problem details", async (path) => {
    await using server = await startTestServer(engine);
    expect((await server.call("GET", path)).refusal).toEqual([404, "not_found"]);
  });
});

const paths = [
  ["/api/v1/websites", ["GET", "POST", "HEAD", "OPTIONS"]],
  ["/api/v1/websites/1", ["GET", "PUT", "DELETE", "HEAD", "OPTIONS"]],
  ["/api/v1/account", ["GET", "HEAD", "OPTIONS"]],
  ["/healthz", ["GET", "HEAD", "OPTIONS"]],
  ["/readyz", ["GET", "HEAD", "OPTIONS"]],
  ["/openapi.json", ["GET", "HEAD", "OPTIONS"]],
  ["/docs/errors", ["GET", "HEAD", "OPTIONS"]],
  ["/docs/errors/not_found", ["GET", "HEAD", "OPTIONS"]],
] as const;

describeOnEveryEngine("method_not_allowed, 405", (engine) => {
  test.for(paths)("%s refuses every other method and lists those it supports", async ([path, methods]) => {
    await using server = await startTestServer(engine);
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"]) {
      if ((methods as readonly string[]).includes(method)) continue;
      const answer = await server.call(method, path);
      expect([method, ...answer.refusal]).toEqual([method, 405, "method_not_allowed"]);
      expect(answer.header("Allow")?.split(", ").sort()).toEqual([...methods].sort());
    }
  });

  test.for(paths)("OPTIONS %s lists the methods", async ([path, methods]) => {
    await using server = await startTestServer(engine);
    const answer = await server.call("OPTIONS", path);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(answer.header("Allow")?.split(", ").sort()).toEqual([...methods].sort());
  });

  test.for(paths)("HEAD %s has the answer of GET, without the body", async ([path]) => {
    await using server = await startTestServer(engine);
    await server.call("POST", "/api/v1/websites", { form: { domain: "example.com" } });
    const get = await server.call("GET", path);
    const answer = await server.call("HEAD", path);
    expect(get.status).toBe(200);
    expect([answer.status, answer.text]).toEqual([get.status, ""]);
    for (const name of ["Content-Type", "Content-Length", "ETag"]) expect(answer.header(name)).toBe(get.header(name));
  });
});
