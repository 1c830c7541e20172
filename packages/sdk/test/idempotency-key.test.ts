import { endpoints } from "@siteward/contract/endpoints";
import { describe, expect, test } from "vitest";
import { resolveSitewardOptions } from "../src/options/siteward-options.ts";
import type { ApiRequest } from "../src/request/build-request.ts";
import type { Send } from "../src/request/send.ts";
import { Siteward } from "../src/siteward.ts";
import { createLoneSend } from "./support/create-lone-send.ts";
import { recordTiming } from "./support/recorded-timing.ts";
import { empty, hangUp, json, problem, type Responder, serve, stall } from "./support/serve.ts";
import { website } from "./support/website.ts";

const creating: ApiRequest = { route: endpoints.websites.create, body: { domain: "example.com" } };
const created = json(201, { data: website(1) });
const proxyPage: Responder = (response) => {
  response.writeHead(503, { "content-type": "text/html" }).end("<h1>Unavailable</h1>");
};

describe("the idempotency key of a create", () => {
  test("is a new UUID for each call", async () => {
    await using server = await serve(created);
    const siteward = new Siteward({ apiKey: "swk_secret", baseUrl: server.baseUrl });
    await siteward.websites.create({ domain: "a.example" });
    await siteward.websites.create({ domain: "b.example" });
    const keys = server.seen.map(({ headers }) => headers["idempotency-key"]);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(new Set(keys).size).toBe(2);
  });

  test("is that of the caller", async () => {
    await using server = await serve(created);
    const siteward = new Siteward({ apiKey: "swk_secret", baseUrl: server.baseUrl });
    await siteward.websites.create({ domain: "a.example" }, { idempotencyKey: "order-7" });
    await siteward.websites.create({ domain: "a.example" }, { headers: { "Idempotency-Key": "order-8" } });
    expect(server.seen.map(({ headers }) => headers["idempotency-key"])).toEqual(["order-7", "order-8"]);
  });

  test("is the same in every attempt", async () => {
    await using server = await serve(hangUp, empty(502), created);
    await connect(server.baseUrl)(creating);
    expect(server.seen.map(({ headers }) => headers["idempotency-key"])).toEqual(Array(3).fill("generated-key"));
  });

  test("is sent with no other request", async () => {
    await using server = await serve(json(200, { data: website(1) }));
    const siteward = new Siteward({ apiKey: "swk_secret", baseUrl: server.baseUrl });
    await siteward.websites.get(1);
    await siteward.websites.update(1, { privacy: 1 });
    for (const { headers } of server.seen) expect(headers).not.toHaveProperty("idempotency-key");
  });

  test.each(["", "a b", "ä", "a\nb", "x".repeat(256)])(
    "%j is refused before anything is sent",
    async (idempotencyKey) => {
      await using server = await serve(created);
      const siteward = new Siteward({ apiKey: "swk_secret", baseUrl: server.baseUrl });
      const call = siteward.websites.create({ domain: "a.example" }, { idempotencyKey });
      await expect(call).rejects.toMatchObject({
        code: "invalid_argument",
        message: "idempotencyKey must contain 1 to 255 visible ASCII characters, such as a UUID.",
      });
      expect(server.seen).toEqual([]);
    },
  );
});

describe("a create", () => {
  test.each([
    ["a broken connection", hangUp],
    ["a timeout", stall],
    ["408", empty(408)],
    ["429", problem(429, "rate_limited")],
    ["500", problem(500, "internal")],
    ["502", empty(502)],
    ["503 of the service", problem(503, "unavailable")],
    ["503 of the service with an unknown outcome", problem(503, "unavailable", { outcome: "unknown" })],
    ["503 of a proxy", proxyPage],
    ["504", empty(504)],
  ])("is retried after %s", async (_name, failure) => {
    await using server = await serve(failure, created);
    expect(await connect(server.baseUrl)(creating, { timeoutMs: 200 })).toMatchObject({
      status: 201,
      call: { attempts: 2 },
    });
  });

  test("whose first attempt is still running is retried after Retry-After", async () => {
    const running = problem(409, "idempotency_in_progress", {}, { "retry-after": "1" });
    await using server = await serve(hangUp, running, created);
    const timing = recordTiming({ random: 0 });
    expect(await connect(server.baseUrl, timing)(creating)).toMatchObject({ status: 201, call: { attempts: 3 } });
    expect(timing.waitsMs).toEqual([0, 1_000]);
  });

  test.each([
    ["domain_taken", 409],
    ["idempotency_key_reused", 422],
  ])("is not retried after %s", async (code, status) => {
    await using server = await serve(problem(status, code), created);
    await expect(connect(server.baseUrl)(creating)).rejects.toMatchObject({ code });
    expect(server.seen).toHaveLength(1);
  });

  test("fails with domain_taken if a service without idempotency keys created the website before its answer was lost", async () => {
    await using server = await serve(hangUp, problem(409, "domain_taken", { website_id: 7 }));
    await expect(connect(server.baseUrl)(creating)).rejects.toMatchObject({
      code: "domain_taken",
      problem: { website_id: 7 },
    });
  });

  test("fails with the error of the attempt that may have created it, if the last attempt did nothing", async () => {
    await using server = await serve(hangUp, problem(503, "unavailable"), problem(429, "rate_limited"));
    await expect(connect(server.baseUrl)(creating)).rejects.toMatchObject({
      code: "connection_failed",
      requestSent: true,
    });
    expect(server.seen).toHaveLength(3);
  });

  test("fails with the last error if no attempt can have created it", async () => {
    await using server = await serve(problem(503, "unavailable"), problem(429, "rate_limited"));
    await expect(connect(server.baseUrl)(creating)).rejects.toMatchObject({ code: "rate_limited" });
  });

  test("that never reached the service says so", async () => {
    const closed = await serve(created);
    await closed[Symbol.asyncDispose]();
    const timing = recordTiming();
    const call = connect(closed.baseUrl, timing)(creating);
    await expect(call).rejects.toMatchObject({ code: "connection_failed", requestSent: false });
    expect(timing.waitsMs).toHaveLength(2);
  });
});

function connect(baseUrl: string, timing = recordTiming()): Send {
  return createLoneSend(resolveSitewardOptions({ apiKey: "swk_secret", baseUrl }), timing);
}
