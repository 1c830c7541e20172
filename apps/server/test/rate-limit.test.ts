import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Answer } from "./support/answer.ts";
import { engines } from "./support/engines.ts";
import { startTestServer, type TestServerOptions } from "./support/test-server.ts";

const websites = "/api/v1/websites";
const example = { domain: "example.com" };

describe("the limit of a key's requests", () => {
  test("every answer to a valid key says what remains, whatever its status, and each request counts as one", async () => {
    await using server = await start({ SITEWARD_RATE_LIMIT: "60" });
    const readingKey = await server.addKey({ scopes: ["websites:read"] });
    const created = await server.call("POST", websites, { json: example });
    const answers = [
      created,
      await server.call("GET", `${websites}/1`, {
        headers: { "If-None-Match": created.etag, "Cache-Control": "max-age=0" },
      }),
      await server.call("GET", "/api/v1/unknown"),
      await server.call("PATCH", websites),
      await server.call("POST", websites, { json: {} }),
      await server.call("POST", websites, { json: example }),
      await server.call("POST", websites, { body: "example.com" }),
      await server.call("HEAD", websites),
      await server.call("DELETE", `${websites}/1`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 304, 404, 405, 422, 409, 415, 200, 204]);
    expect(answers.map(fieldsOf)).toEqual(
      answers.map((_, index) => ['"default";q=60;w=60', `"default";r=${59 - index};t=1`]),
    );
    const refused = await server.call("POST", websites, { json: example, key: readingKey });
    expect(refused.refusal).toEqual([403, "insufficient_scope"]);
    expect(fieldsOf(refused)).toEqual(['"default";q=60;w=60', '"default";r=59;t=1']);
  });

  test("no other answer has the fields", async () => {
    await using server = await start({ SITEWARD_RATE_LIMIT: "60" });
    const others = [
      await server.call("GET", "/healthz"),
      await server.call("GET", "/readyz"),
      await server.call("GET", "/openapi.json"),
      await server.call("GET", "/unknown"),
      await server.call("GET", websites, { key: null }),
      await server.call("GET", websites, { key: "swk_unknown" }),
    ];
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 404, 401, 401]);
    for (const answer of others) expect(fieldsOf(answer)).toEqual([null, null]);
  });

  test("past the limit a request gets a 429 that says when to retry, and then it is answered", async () => {
    const clock = { nowMs: 0 };
    await using server = await start({ SITEWARD_RATE_LIMIT: "6" }, { now: () => clock.nowMs });
    for (let count = 0; count < 6; count += 1) expect((await server.call("GET", websites)).status).toBe(200);
    clock.nowMs += 500;
    const refused = await server.call("POST", websites, { json: example });
    expect(refused.refusal).toEqual([429, "rate_limited"]);
    expect(refused.problem.detail).toBe(
      "This API key has reached its limit of 6 requests per minute. Retry after 10 s, or ask the operator for a higher limit.",
    );
    expect([...fieldsOf(refused), refused.header("Retry-After")]).toEqual([
      '"default";q=6;w=60',
      '"default";r=0;t=10',
      "10",
    ]);
    clock.nowMs += 9_500;
    expect((await server.call("POST", websites, { json: example })).status).toBe(201);
    expect((await server.call("GET", websites)).status).toBe(429);
  });

  test("keys do not share a limit, and requests without a valid key do not count", async () => {
    await using server = await start({ SITEWARD_RATE_LIMIT: "1" }, { now: () => 0 });
    const other = await server.addKey();
    await server.call("GET", websites, { key: null });
    await server.call("GET", websites, { key: "swk_unknown" });
    expect((await server.call("GET", websites)).status).toBe(200);
    expect((await server.call("GET", websites)).status).toBe(429);
    expect((await server.call("GET", websites, { key: other })).status).toBe(200);
  });

  test("a key can have a limit of its own, which a running server notices, without forgetting what it has counted", async () => {
    await using server = await start({ SITEWARD_RATE_LIMIT: "600" }, { now: () => 0 });
    expect(fieldsOf(await server.call("GET", websites))).toEqual(['"default";q=600;w=60', '"default";r=599;t=1']);
    const limits = [
      { column: "3", fields: ['"default";q=3;w=60', '"default";r=1;t=20'] },
      { column: "10", fields: ['"default";q=10;w=60', '"default";r=7;t=6'] },
      { column: "0", fields: [null, null] },
    ];
    for (const { column, fields } of limits) {
      await server.execute(`update api_keys set rate_limit = ${column}`);
      // A key that was read counts as unchanged for two seconds.
      await sleep(2_000);
      expect(fieldsOf(await server.call("GET", websites))).toEqual(fields);
    }
  });

  test("a limit of 0 means no limit, and no fields", async () => {
    await using server = await start({ SITEWARD_RATE_LIMIT: "0" });
    expect(fieldsOf(await server.call("GET", websites))).toEqual([null, null]);
  });
});

function start(settings: TestServerOptions["settings"], options: TestServerOptions = {}) {
  return startTestServer(engines.sqlite, { ...options, ...(settings && { settings }) });
}

function fieldsOf(answer: Answer): (string | null)[] {
  return [answer.header("RateLimit-Policy"), answer.header("RateLimit")];
}
