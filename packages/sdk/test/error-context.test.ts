import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Siteward } from "../src/siteward.ts";
import { catchError, connect } from "./support/connect.ts";
import { apiKey } from "./support/keys.ts";
import { hangUp, json, problem, type Responder, serve, stall } from "./support/serve.ts";

const limits = { "ratelimit-policy": '"default";q=600;w=60', ratelimit: '"default";r=0;t=59' };

describe("the error of a call", () => {
  test.each<[string, Responder, string]>([
    [
      "an ApiError",
      problem(404, "not_found"),
      "Detail of not_found. (404 not_found, request request-1, GET /api/v1/websites/7)",
    ],
    ["a TimeoutError", stall, "GET <url> took longer than 100 ms."],
    ["a ConnectionError", hangUp, "GET <url> got no complete response: other side closed."],
  ])("says method, path, attempts and time: %s", async (_name, responder, message) => {
    await using server = await serve(responder);
    const timeout = responder === stall ? { timeoutMs: 100 } : {};
    const siteward = new Siteward({ apiKey, baseUrl: `${server.baseUrl}/base`, maxRetries: 0, ...timeout });
    const error = await catchError(siteward.websites.get(7));
    expect(error).toMatchObject({ method: "GET", path: "/api/v1/websites/7", attempts: 1 });
    expect(error.elapsedMs).toBeGreaterThanOrEqual(0);
    expect(error.message).toBe(message.replace("<url>", `${server.baseUrl}/base/api/v1/websites/7`));
    expect(error.stack).toContain(`${error.name}: ${error.message}`);
  });

  test("says how many attempts there were, and how long all of them took", async () => {
    await using server = await serve(problem(503, "unavailable"));
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    const onRetry = () => vi.setSystemTime(Date.now() + 750);
    const send = connect({ baseUrl: server.baseUrl, onRetry });
    const error = await catchError(send({ route: { method: "GET", path: "/api/v1/account" } }));
    expect(error).toMatchObject({ method: "GET", path: "/api/v1/account", attempts: 3, elapsedMs: 1_500 });
    expect(error.message).toBe(
      "Detail of unavailable. (503 unavailable, request request-1, GET /api/v1/account after 3 attempts in 1.5 s)",
    );
  });

  test("says so once, also if it is the error of an earlier attempt", async () => {
    await using server = await serve(hangUp, problem(503, "unavailable"), problem(503, "unavailable"));
    const send = connect({ baseUrl: server.baseUrl });
    const error = await catchError(send({ route: { method: "PUT", path: "/api/v1/websites/7" }, body: {} }));
    expect(error).toMatchObject({ code: "connection_failed", attempts: 3 });
    const reason = /^PUT \S+\/websites\/7 got no complete response: other side closed\. \(after 3 attempts in \S+ s\)$/;
    expect(error.message).toMatch(reason);
  });

  test.each([
    ["before the first attempt", 0, () => AbortSignal.abort()],
    ["during an attempt", 1, () => AbortSignal.timeout(100)],
  ])("says what was aborted %s", async (_name, attempts, createSignal) => {
    await using server = await serve(stall);
    const signal = createSignal();
    const error = await catchError(server.siteward.account.get({ signal }));
    expect(error).toMatchObject({ code: "aborted", method: "GET", path: "/api/v1/account", attempts });
    expect(error.message).toBe("The call was aborted by its signal. (GET /api/v1/account)");
  });
});

test("the state of the rate limit is on the response and on the error", async () => {
  await using server = await serve(
    json(200, { data: {} }, { ...limits, ratelimit: '"default";r=12;t=0' }),
    problem(429, "rate_limited", {}, { ...limits, "retry-after": "61" }),
  );
  const { account } = new Siteward({ apiKey, baseUrl: server.baseUrl });
  const { response } = await account.get().withResponse();
  expect(response.rateLimit).toEqual({ limit: 600, remaining: 12, resetMs: 0 });
  const error = await catchError(account.get());
  expect(error).toMatchObject({ retryAfterMs: 61_000, rateLimit: { limit: 600, remaining: 0, resetMs: 59_000 } });
});
