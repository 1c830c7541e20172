import { errorCodes } from "@siteward/contract";
import { expect, test } from "vitest";
import { describeOnEveryEngine } from "./support/engines.ts";
import { startTestServer } from "./support/test-server.ts";

describeOnEveryEngine("the documentation pages", (engine) => {
  test.for(Object.entries(errorCodes))(
    "the page of %s shows its status and title",
    async ([code, { status, title }]) => {
      await using server = await startTestServer(engine);
      const answer = await server.call("GET", `/docs/errors/${code}`, { key: null });
      expect([answer.status, answer.header("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect(answer.text).toContain(code);
      expect(answer.text).toContain(`HTTP status ${status}`);
      expect(answer.text).toContain(title);
    },
  );

  test("the type of a problem is the URL of its page", async () => {
    await using server = await startTestServer(engine);
    const { problem } = await server.call("GET", "/nothing");
    expect(problem.type).toBe(`${server.url}/docs/errors/not_found`);
    expect((await fetch(problem.type)).status).toBe(200);
  });

  test("the index lists every code", async () => {
    await using server = await startTestServer(engine);
    const { text } = await server.call("GET", "/docs/errors", { key: null });
    for (const code of Object.keys(errorCodes)) expect(text).toContain(`<code>${code}</code>`);
  });

  test("the OpenAPI document is served without a key", async () => {
    await using server = await startTestServer(engine);
    const document = JSON.parse((await server.call("GET", "/openapi.json", { key: null })).text);
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(Object.keys(document.paths).sort()).toEqual([
      "/api/v1/account",
      "/api/v1/websites",
      "/api/v1/websites/{id}",
    ]);
  });

  test.for([{ Range: "bytes=99999999-" }, { Range: "bytes=0-4" }, { "If-Match": '"x"' }])(
    "the entire OpenAPI document is served to a request with %j",
    async (headers) => {
      await using server = await startTestServer(engine);
      const answer = await server.call("GET", "/openapi.json", { key: null, headers });
      expect([answer.status, answer.header("Content-Type")]).toEqual([200, "application/json; charset=utf-8"]);
      expect(JSON.parse(answer.text).openapi).toMatch(/^3\.1\./);
    },
  );

  test("nothing in a response may run, be framed or be taken for another type", async () => {
    await using server = await startTestServer(engine);
    for (const path of ["/docs/errors", "/api/v1/websites", "/nothing"]) {
      const answer = await server.call("GET", path);
      expect(answer.header("Content-Security-Policy")).toMatch(/^default-src 'none'/);
      expect(answer.header("X-Content-Type-Options")).toBe("nosniff");
      expect(answer.header("X-Powered-By")).toBeNull();
    }
  });
});
