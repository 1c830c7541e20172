import { routes } from "@siteward/contract/plain";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { RetryEvent } from "../src/options/hooks.ts";
import type { SitewardOptions } from "../src/options/siteward-options.ts";
import type { ApiRequest } from "../src/request/build-request.ts";
import { connect, fixRandom } from "./support/connect.ts";
import { empty, hangUp, json, problem, type Responder, serve, stall } from "./support/serve.ts";

const { list, get, delete: remove } = routes.websites;
const reading: ApiRequest = { route: list };
const deleting: ApiRequest = { route: remove, parameters: { id: 7 } };

const done = json(200, { data: {} });

describe("a failed request", () => {
  test("is retried up to maxRetries times, with waits that double up to 8 s and full jitter", async () => {
    const counts: unknown[] = [];
    const { waitsMs, ended } = await sendWithoutWaiting(0.5, {
      maxRetries: 7,
      async fetch(_url, { headers }) {
        counts.push(headers["x-siteward-retry-count"]);
        return new Response(null, { status: 503 });
      },
    });
    expect(ended).toMatchObject({ status: 503 });
    expect(waitsMs).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
    expect(counts).toEqual([undefined, "1", "2", "3", "4", "5", "6", "7"]);
  });

  test.each([408, 429, 500, 502, 503, 504])("is retried after %d", async (status) => {
    await using server = await serve(empty(status), done);
    expect(await connect({ baseUrl: server.baseUrl })(reading)).toMatchObject({ status: 200, call: { attempts: 2 } });
  });

  test.each([400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 501])("is not retried after %d", async (status) => {
    await using server = await serve(problem(status, "some_code"), done);
    await expect(connect({ baseUrl: server.baseUrl })(reading)).rejects.toMatchObject({ status });
    expect(server.seen).toHaveLength(1);
  });

  test("is retried after a broken connection, a response that is cut off, and a timeout", async () => {
    const cutOff: Responder = (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": 100 });
      response.write('{"data":', () => response.destroy());
    };
    await using server = await serve(hangUp, cutOff, stall, done);
    const answer = await connect({ baseUrl: server.baseUrl })(reading, { timeoutMs: 200, maxRetries: 3 });
    expect(answer.call.attempts).toBe(4);
  });
});

const refuseOnce = (retryAfter: string) => {
  const refusal = new Response(null, { status: 429, headers: { "retry-after": retryAfter } });
  const answers = [refusal, Response.json({ data: {} })];
  return async () => answers.shift() ?? expect.unreachable("it was sent three times");
};

test.each([
  ["seconds", "7", 7_500],
  ["the longest wait", "60", 60_500],
])("Retry-After with %s is added to the backoff", async (_name, value, waitMs) => {
  const { waitsMs, ended } = await sendWithoutWaiting(1, { fetch: refuseOnce(value) });
  expect(ended).toMatchObject({ status: 200 });
  expect(waitsMs).toEqual([waitMs]);
});

test("Retry-After of more than 60 s rejects at once with retryAfterMs", async () => {
  const { waitsMs, ended } = await sendWithoutWaiting(1, { fetch: refuseOnce("Fri, 20 Nov 2026 10:01:01 GMT") });
  expect(ended).toMatchObject({ retryAfterMs: 61_000 });
  expect(waitsMs).toEqual([]);
});

describe("a DELETE that finds no record", () => {
  const gone = problem(404, "not_found");

  test.each([
    ["a broken connection, and an attempt that did nothing", [hangUp, problem(429, "rate_limited")]],
    ["a 503 whose outcome is unknown", [problem(503, "unavailable", { outcome: "unknown" })]],
  ])("counts as done after %s", async (_name, failures) => {
    await using server = await serve(...failures, gone);
    expect(await connect({ baseUrl: server.baseUrl })(deleting)).toMatchObject({ status: 404 });
  });

  test.each([
    ["at the first attempt", [gone], "not_found"],
    ["after an attempt that did nothing", [problem(503, "unavailable"), gone], "not_found"],
    ["if the 404 is from a proxy", [hangUp, empty(404)], "unexpected_response"],
    ["if the record has changed", [hangUp, problem(412, "precondition_failed")], "precondition_failed"],
  ])("is an error %s", async (_name, responders, code) => {
    await using server = await serve(...responders);
    await expect(connect({ baseUrl: server.baseUrl })(deleting)).rejects.toMatchObject({ code });
  });

  test("is an error for any other method", async () => {
    await using server = await serve(hangUp, gone);
    const call = connect({ baseUrl: server.baseUrl })({ route: get, parameters: { id: 7 } });
    await expect(call).rejects.toMatchObject({ code: "not_found" });
  });
});

test("the signal ends the wait before a retry", async () => {
  await using server = await serve(problem(429, "rate_limited", {}, { "retry-after": "30" }), done);
  const call = connect({ baseUrl: server.baseUrl })(reading, { signal: AbortSignal.timeout(300) });
  await expect(call).rejects.toMatchObject({ code: "aborted", cause: { name: "TimeoutError" } });
  expect(server.seen).toHaveLength(1);
});

/** Sends a read from 10:00 by a clock that passes at once. Returns how it ended, and after which waits. */
async function sendWithoutWaiting(random: number, options: SitewardOptions) {
  vi.useFakeTimers({ now: Date.parse("Fri, 20 Nov 2026 10:00:00 GMT") });
  onTestFinished(() => void vi.useRealTimers());
  const waitsMs: number[] = [];
  const onRetry = (event: RetryEvent) => waitsMs.push(event.delayMs);
  const send = connect({ ...options, baseUrl: "http://siteward.test", onRetry });
  fixRandom(random);
  const ending = send(reading).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return { waitsMs, ended: await ending };
}
