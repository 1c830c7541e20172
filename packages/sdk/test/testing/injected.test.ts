import { expect, onTestFinished, test, vi } from "vitest";
import { openFake } from "./support/open-fake.ts";

test("failNext lets the next requests fail with an error of the service, which says so, and changes nothing", async () => {
  const { fake, siteward } = openFake();
  fake.failNext({ code: "unavailable", times: 2, headers: { "Retry-After": "3" } });
  const create = () => siteward.websites.create({ domain: "a.example" });
  const message = expect.stringMatching(/^Injected by failNext: [^.]+\. [^.]+\. \(503 unavailable,/);
  const unavailable = {
    code: "unavailable",
    status: 503,
    title: "Temporarily unavailable",
    retryAfterMs: 3000,
    message,
  };
  await expect(create()).rejects.toMatchObject(unavailable);
  await expect(create()).rejects.toMatchObject(unavailable);
  expect(fake.websites).toEqual([]);
  expect(await create()).toMatchObject({ id: 1 });
  expect(fake.requests.map(({ status }) => status)).toEqual([503, 503, 201]);
});

test("pending contains each failure until as many requests as it is for have met it", async () => {
  const { fake, siteward } = openFake();
  fake.failNext({ code: "unavailable", path: "/api/v1/website" });
  fake.failNext({ status: 502, times: 3 });
  fake.failNext({ delayMs: 0, method: "PUT" });
  fake.failNext({ delayMs: 0, method: "GET" });
  await siteward.websites.list().catch(() => {});
  expect(fake.pending).toEqual([
    { code: "unavailable", path: "/api/v1/website", times: 1 },
    { status: 502, times: 2 },
    { delayMs: 0, method: "PUT", times: 1 },
    { delayMs: 0, method: "GET", times: 1 },
  ]);
});

test("pending contains a failure of all requests, which follow those before it, only until the first", async () => {
  const { fake, siteward } = openFake();
  const failure = { code: "unavailable", times: Number.POSITIVE_INFINITY } as const;
  fake.failNext({ code: "rate_limited" });
  fake.failNext(failure);
  await expect(siteward.websites.list()).rejects.toMatchObject({ code: "rate_limited" });
  expect(fake.pending).toEqual([failure]);
  await siteward.websites.list().catch(() => {});
  expect(fake.pending).toEqual([]);
  await expect(siteward.websites.list()).rejects.toMatchObject({ code: "unavailable" });
});

test("a delay delays the next response, by fake timers too", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { fake, siteward } = openFake({ websites: [{ domain: "a.example" }] });
  fake.failNext({ delayMs: 5_000 });
  const onAnswer = vi.fn();
  const reading = siteward.websites.get(1).then(onAnswer);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(onAnswer).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await reading;
});

test("a delay lets the client reach its timeout, before or after the change", async () => {
  const { fake, siteward } = openFake({}, { timeoutMs: 20 });
  fake.failNext({ delayMs: Number.POSITIVE_INFINITY });
  await expect(siteward.websites.create({ domain: "a.example" })).rejects.toMatchObject({ code: "timeout" });
  expect(fake.websites).toHaveLength(0);
  fake.failNext({ delayMs: Number.POSITIVE_INFINITY, when: "after" });
  await expect(siteward.websites.create({ domain: "a.example" })).rejects.toMatchObject({ code: "timeout" });
  expect(fake.websites).toHaveLength(1);
  expect(fake.requests.map(({ status }) => status)).toEqual([undefined, undefined]);
});
