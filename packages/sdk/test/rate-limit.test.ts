import { getEventListeners } from "node:events";
import { afterEach, describe, expect, test, vi } from "vitest";
import { isApiError } from "../src/errors/api-error.ts";
import type { RetryEvent } from "../src/options/hooks.ts";
import type { SitewardOptions } from "../src/options/siteward-options.ts";
import { Line } from "../src/retry/line.ts";
import { Siteward } from "../src/siteward.ts";
import { createFakeSiteward } from "../src/testing/index.ts";
import { apiKey, keyOf } from "./support/keys.ts";

const limits = { "ratelimit-policy": '"default";q=600;w=60', ratelimit: '"default";r=0;t=1' };
const refusal = { code: "rate_limited", headers: { ...limits, "Retry-After": "1" } } as const;

afterEach(() => {
  vi.useRealTimers();
});

describe("calls that the rate limit refuses", () => {
  test("all end, and take no longer than the limit allows", async () => {
    const [limit, count] = [600, 1_200];
    vi.useFakeTimers({ now: 0 });
    const fake = createFakeSiteward({ rateLimit: limit });
    const siteward = new Siteward(fake.clientOptions);
    const created = Promise.all(domains(count).map((domain) => siteward.websites.create({ domain })));
    await vi.runAllTimersAsync();
    expect(new Set((await created).map(({ id }) => id)).size).toBe(count);
    const refusals = fake.requests.filter(({ status }) => status === 429).length;
    // No more than are on their way when the bucket is empty, which happens once.
    expect(refusals).toBeLessThanOrEqual(32);
    expect(fake.requests).toHaveLength(count + refusals);
    expect(Date.now()).toBeLessThanOrEqual(((count - limit) * 60_000) / limit + 2_000);
  });

  test("all end if two programs share the key, and each learns from responses what is left", async () => {
    vi.useFakeTimers({ now: 0 });
    const fake = createFakeSiteward({ rateLimit: 600 });
    const programs = [1, 2].map(() => new Siteward(fake.clientOptions));
    const created = Promise.all(
      domains(1_200).map((domain, index) => programs[index % 2]?.websites.create({ domain })),
    );
    await vi.runAllTimersAsync();
    expect(await created).toHaveLength(1_200);
    const refusals = fake.requests.filter(({ status }) => status === 429).length;
    expect(refusals).toBeLessThan(400);
  });

  test("are reported to onRetry, and do not use up maxRetries", async () => {
    vi.useFakeTimers({ now: 0 });
    const fake = createFakeSiteward();
    fake.failNext({ ...refusal, times: 99 });
    fake.failNext({ code: "unavailable" });
    const retries: RetryEvent[] = [];
    const siteward = new Siteward({ ...fake.clientOptions, maxRetries: 1, onRetry: (event) => retries.push(event) });
    const call = siteward.account.get().withResponse();
    await vi.runAllTimersAsync();
    expect((await call).response.retryCount).toBe(100);
    expect(retries.map(({ error }) => error.code)).toEqual([...Array(99).fill("rate_limited"), "unavailable"]);
  });

  test("keep no program alive once they are aborted", async () => {
    vi.useFakeTimers({ now: 0 });
    const fake = createFakeSiteward({ rateLimit: 1 });
    const siteward = new Siteward(fake.clientOptions);
    const controller = new AbortController();
    const calls = domains(3).map(() => siteward.account.get({ signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(vi.getTimerCount()).toBe(1);
    controller.abort();
    const ends = await Promise.allSettled(calls);
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("do not wait until a clock that was set back has caught up", async () => {
    vi.useFakeTimers({ now: new Date("2026-01-01") });
    const fake = createFakeSiteward();
    fake.failNext(refusal);
    const call = new Siteward(fake.clientOptions).account.get();
    await vi.advanceTimersByTimeAsync(100);
    vi.setSystemTime(new Date("2025-01-01"));
    await vi.advanceTimersByTimeAsync(120_000);
    await call;
  });

  test("fail after 100 refusals, at once without retries, and at once if they would wait for more than 60 s", async () => {
    vi.useFakeTimers({ now: 0 });
    const fake = createFakeSiteward();
    fake.failNext({ ...refusal, times: 101 });
    expect(await countRequests(fake, {})).toBe(101);
    fake.failNext(refusal);
    expect(await countRequests(fake, { maxRetries: 0 })).toBe(1);
    fake.failNext({ code: "rate_limited", headers: { ...limits, "Retry-After": "61" } });
    expect(await countRequests(fake, {})).toBe(1);
    // One that does not name the limit of the key, or is about changes, is retried like any other failure.
    fake.failNext({ code: "rate_limited", times: 3, headers: { "Retry-After": "1" } });
    expect(await countRequests(fake, {})).toBe(3);
    fake.failNext({ ...refusal, code: "change_limit_reached", times: 3 });
    expect(await countRequests(fake, {})).toBe(3);
  });
});

describe("the line", () => {
  test.each([
    ["maxConcurrent", { maxConcurrent: 3 }, 3],
    ["32", {}, 32],
  ])("lets at most %s requests be on their way, in the order of the calls", async (_name, options, most) => {
    const { fetch, paths, state } = record();
    const siteward = new Siteward({ apiKey, fetch, ...options });
    await Promise.all(domains(100).map((_domain, index) => siteward.websites.get(index + 1)));
    expect(state.most).toBe(most);
    expect(paths).toEqual(domains(100).map((_domain, index) => `/api/v1/websites/${index + 1}`));
  });

  test("is shared with copies for the same key and base URL, each with its own maxConcurrent", async () => {
    const { fetch, state } = record();
    const siteward = new Siteward({ apiKey, fetch, maxConcurrent: 3 });
    const clients = [siteward, siteward.withOptions({ timeoutMs: 5_000 }), siteward.withOptions({ maxConcurrent: 2 })];
    await Promise.all(clients.flatMap(({ account }) => domains(10).map(() => account.get())));
    expect(state.most).toBe(3);
    const others = [
      siteward,
      siteward.withOptions({ apiKey: keyOf("other") }),
      siteward.withOptions({ baseUrl: "http://b" }),
    ];
    await Promise.all(others.flatMap(({ account }) => domains(10).map(() => account.get())));
    expect(state.most).toBe(9);
  });

  test("ends the wait of a call whose signal aborts, and lets the calls behind it through", async () => {
    const { fetch, paths } = record();
    const siteward = new Siteward({ apiKey, fetch, maxConcurrent: 1 });
    const controller = new AbortController();
    const first = siteward.websites.get(1);
    const aborted = [2, 3].map((id) => siteward.websites.get(id, { signal: controller.signal }));
    const last = siteward.websites.get(4);
    controller.abort("stop");
    for (const call of aborted)
      await expect(call).rejects.toMatchObject({ code: "aborted", cause: "stop", attempts: 0 });
    const late = siteward.websites.get(5, { signal: controller.signal });
    await expect(late).rejects.toMatchObject({ code: "aborted", attempts: 0 });
    await Promise.all([first, last]);
    expect(paths).toEqual(["/api/v1/websites/1", "/api/v1/websites/4"]);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  test.each(["alone", "with a signal"])("ends at a waitSignal, %s; what is on its way is finished", async (way) => {
    const { fetch, paths } = record();
    const siteward = new Siteward({ apiKey, fetch, maxConcurrent: 1 });
    const controller = new AbortController();
    const { signal } = new AbortController();
    const options = { waitSignal: controller.signal, ...(way === "alone" ? {} : { signal }) };
    const sent = siteward.websites.get(1, options);
    const waiting = siteward.websites.get(2, options);
    controller.abort("stop");
    await expect(waiting).rejects.toMatchObject({ code: "aborted", cause: "stop", attempts: 0 });
    await sent;
    await expect(siteward.websites.get(3, options)).rejects.toMatchObject({ code: "aborted", attempts: 0 });
    expect(paths).toEqual(["/api/v1/websites/1"]);
  });

  test("ends at a waitSignal after a refusal, or with the error of an attempt that may have acted", async () => {
    const fake = createFakeSiteward();
    const siteward = new Siteward(fake.clientOptions);
    const stopAfter = (code: "rate_limited" | "internal") => {
      fake.failNext({ code, headers: { "retry-after": "60" } });
      const controller = new AbortController();
      const stopping = siteward.withOptions({ onRetry: () => controller.abort() });
      return stopping.websites.create({ domain: "a.example" }, { waitSignal: controller.signal });
    };
    await expect(stopAfter("internal")).rejects.toMatchObject({ code: "internal", attempts: 1 });
    await expect(stopAfter("rate_limited")).rejects.toMatchObject({ code: "aborted", attempts: 1 });
    expect(fake.requests).toHaveLength(2);
  });

  test.each(["first", "last"])("lets 20,000 calls that wait be aborted at once, the %s one first", async (which) => {
    const line = new Line();
    const enter = (signal?: AbortSignal) => line.enter({ isRetry: false, maxConcurrent: 1, signal });
    await enter();
    const controllers = Array.from({ length: 20_000 }, () => new AbortController());
    const waits = Promise.allSettled(controllers.map(({ signal }) => enter(signal)));
    const start = process.cpuUsage();
    for (const controller of which === "first" ? controllers : controllers.toReversed()) controller.abort();
    // It took 3 s as long as each abort searched for its place in the line.
    expect(process.cpuUsage(start).user).toBeLessThan(1_500_000);
    expect((await waits).every(({ status }) => status === "rejected")).toBe(true);
  });

  test("does not count for timeoutMs", async () => {
    vi.useFakeTimers();
    const { fetch } = record(60);
    const siteward = new Siteward({ apiKey, fetch, maxConcurrent: 1, timeoutMs: 150, maxRetries: 0 });
    const all = Promise.all(domains(6).map(() => siteward.account.get()));
    await vi.runAllTimersAsync();
    expect(await all).toHaveLength(6);
  });

  test("lets a retry through before calls that came later", async () => {
    const paths: string[] = [];
    const fetch = async (url: string) => {
      const { pathname } = new URL(url);
      paths.push(pathname);
      // The second call is on its way until the first one is back in the line.
      if (paths.length === 2) await new Promise((resolve) => setTimeout(resolve, 700));
      if (paths.length === 1) return new Response(null, { status: 502 });
      return Response.json({ data: {} });
    };
    const siteward = new Siteward({ apiKey, fetch, maxConcurrent: 1 });
    await Promise.all([1, 2, 3, 4].map((id) => siteward.websites.get(id)));
    expect(paths.map((path) => path.at(-1))).toEqual(["1", "2", "1", "3", "4"]);
  });
});

/** Returns how many requests a call takes that the rate limit refuses in the end. */
async function countRequests(fake: ReturnType<typeof createFakeSiteward>, options: SitewardOptions): Promise<number> {
  const before = fake.requests.length;
  const call = new Siteward({ ...fake.clientOptions, ...options }).account.get().then(
    () => false,
    (error: unknown) => isApiError(error) && error.status === 429,
  );
  await vi.runAllTimersAsync();
  expect(await call).toBe(true);
  return fake.requests.length - before;
}

/** A `fetch` that answers each request after some time, and notes how many were on their way at once. */
function record(delayMs = 2) {
  const paths: string[] = [];
  const state = { onTheirWay: 0, most: 0 };
  const fetch = async (url: string) => {
    paths.push(new URL(url).pathname);
    state.onTheirWay += 1;
    state.most = Math.max(state.most, state.onTheirWay);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    state.onTheirWay -= 1;
    return Response.json({ data: {} });
  };
  return { fetch, paths, state };
}

function domains(count: number): string[] {
  return Array.from({ length: count }, (_value, index) => `site-${index}.example`);
}
