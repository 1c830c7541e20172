import { expect, onTestFinished, test, vi } from "vitest";
import type { RequestEvent, ResponseEvent, RetryEvent } from "../src/options/hooks.ts";
import { Siteward } from "../src/siteward.ts";
import { connect, fixRandom } from "./support/connect.ts";
import { apiKey } from "./support/keys.ts";
import { empty, hangUp, json, problem, serve } from "./support/serve.ts";
import { website } from "./support/website.ts";

const reading = { route: { method: "GET", path: "/api/v1/websites" }, query: { search: "mine" } };
const rateLimit = { "ratelimit-policy": '"default";q=600;w=60', ratelimit: '"default";r=599;t=1' };

test("hooks see each attempt of a call that is retried, in order, with its numbers", async () => {
  await using server = await serve(
    problem(503, "unavailable", {}, { "x-request-id": "request-1", ...rateLimit }),
    hangUp,
    // One of the two headers says nothing.
    json(200, { data: [] }, { "x-request-id": "request-3", ratelimit: rateLimit.ratelimit }),
  );
  const events: [string, RequestEvent | ResponseEvent | RetryEvent][] = [];
  const send = connect({
    baseUrl: server.baseUrl,
    onRequest: (event) => events.push(["request", event]),
    onResponse: (event) => events.push(["response", event]),
    onRetry: (event) => events.push(["retry", event]),
  });
  vi.useFakeTimers({ toFake: ["Date"], now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  fixRandom(0.01);
  await send(reading);
  const attempt = (number: number) => ({
    method: "GET",
    url: `${server.baseUrl}/api/v1/websites`,
    attempt: number,
  });
  const limit = { limit: 600, remaining: 599, resetMs: 1_000 };
  const noLimit = { rateLimit: undefined, durationMs: 0 };
  expect(events).toEqual([
    ["request", attempt(1)],
    ["response", { ...attempt(1), status: 503, requestId: "request-1", durationMs: 0, rateLimit: limit }],
    ["retry", { ...attempt(1), error: expect.objectContaining({ code: "unavailable" }), delayMs: 5 }],
    ["request", attempt(2)],
    ["retry", { ...attempt(2), error: expect.objectContaining({ code: "connection_failed" }), delayMs: 10 }],
    ["request", attempt(3)],
    ["response", { ...attempt(3), status: 200, requestId: "request-3", ...noLimit }],
  ]);
});

const fail = () => {
  throw new Error("broken hook");
};
test.each([
  ["throws", fail],
  ["rejects", async () => fail()],
])("hooks change nothing if one %s, and its error is printed", async (_name, hook) => {
  await using server = await serve(empty(502), json(200, { data: website(7) }));
  const print = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => print.mockRestore());
  const options = { baseUrl: server.baseUrl, onRequest: hook, onResponse: hook, onRetry: hook };
  await expect(connect(options)(reading)).resolves.toMatchObject({ status: 200 });
  const line = ["A hook of a Siteward client failed:", expect.objectContaining({ message: "broken hook" })];
  expect(print.mock.calls).toEqual([line, line, line, line, line]);
});

test("hooks are not awaited", async () => {
  await using server = await serve(json(200, { data: website(7) }));
  const forever = () => new Promise(() => {});
  const siteward = new Siteward({ apiKey, baseUrl: server.baseUrl, onRequest: forever, onResponse: forever });
  expect((await siteward.websites.get(7)).id).toBe(7);
});

test("hooks end the call if one aborts its signal, before anything is sent", async () => {
  await using server = await serve(json(200, { data: website(7) }));
  const controller = new AbortController();
  const onRequest = () => controller.abort("stop");
  const siteward = new Siteward({ apiKey, baseUrl: server.baseUrl, onRequest });
  const call = siteward.websites.get(7, { signal: controller.signal });
  await expect(call).rejects.toMatchObject({ code: "aborted", cause: "stop", attempts: 1 });
});
