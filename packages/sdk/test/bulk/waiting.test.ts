import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type RunProgress, runChanges } from "../../src/bulk/index.ts";
import { type Fetch, Siteward } from "../../src/index.ts";
import { createFakeSiteward } from "../../src/testing/index.ts";
import { edits, statesOf } from "./support/edits.ts";

const domains = Array.from({ length: 400 }, (_, at) => ({ domain: `site${at + 1}.example` }));
const ids = domains.map((_, at) => at + 1);

describe("a service that is away", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test.for([
    ["refused connections", () => Promise.reject(new TypeError("fetch failed"))],
    ["503", () => Promise.resolve(new Response("<p>", { status: 503, headers: { "Retry-After": "3" } }))],
  ] as const)("for a minute is waited for: %s", async ([, fail]) => {
    const fake = createFakeSiteward({ websites: domains });
    let [awayMs, puts] = [0, 0];
    const fetch: Fetch = async (url, init) => {
      if (init.method === "PUT" && ++puts === 100) awayMs = Date.now() + 60_000;
      if (Date.now() >= awayMs) return await fake.fetch(url, init);
      return await fail();
    };
    let last: RunProgress | undefined;
    const siteward = new Siteward({ ...fake.clientOptions, fetch });
    const running = runChanges(siteward, edits(ids, { set: { privacy: 1 } }), {
      onProgress: (progress) => {
        last = progress;
      },
    });
    await vi.advanceTimersByTimeAsync(90_000);
    const { outcomes, end } = await running;
    expect(end).toBe("done");
    expect(new Set(statesOf(outcomes))).toEqual(new Set(["changed"]));
    expect(fake.websites.every(({ privacy }) => privacy === 1)).toBe(true);
    expect(last).toEqual({ phase: "sending", done: 400, total: 400 });
  });

  test("for longer than the patience ends the run, and the rest is for another", async () => {
    const fake = createFakeSiteward({ websites: domains });
    const siteward = new Siteward(fake.clientOptions);
    let puts = 0;
    const fetch: Fetch = async (url, init) => {
      if (init.method === "PUT") puts += 1;
      if (puts > 50) throw new TypeError("fetch failed");
      return await fake.fetch(url, init);
    };
    const running = runChanges(siteward.withOptions({ fetch }), edits(ids, { set: { privacy: 1 } }), {
      maxRetries: 10,
    });
    await vi.advanceTimersByTimeAsync(100_000);
    const first = await running;
    expect([first.end, first.outcomes.filter(({ state }) => state === "changed").length]).toEqual(["error", 50]);
    expect(first.rest).toHaveLength(350);
    expect(puts).toBeLessThan(50 + 8 * 3 * 20);
    const second = await runChanges(siteward, first.rest);
    expect(second.end).toBe("done");
    expect(fake.websites.every(({ privacy }) => privacy === 1)).toBe(true);
  });
});

test("stop is answered at once with 20,000 changes left, also while a request hangs", async () => {
  const fake = createFakeSiteward({ websites: domains });
  const siteward = new Siteward(fake.clientOptions);
  const [stop, graceMs] = [new AbortController(), 500];
  const many = Array.from({ length: 20_000 }, (_, at) => edits([(at % 400) + 1], { set: { email: 1 } })).flat();
  const running = runChanges(siteward, many, {
    ...{ signal: stop.signal, graceMs },
    onProgress: ({ phase, done }) => {
      if (phase !== "sending" || done !== 200) return;
      fake.failNext({ delayMs: Number.POSITIVE_INFINITY, times: 8 });
      setTimeout(() => stop.abort(), 50);
    },
  });
  await new Promise((resolve) => stop.signal.addEventListener("abort", resolve));
  const [start, manyGraces] = [process.cpuUsage(), AbortSignal.timeout(20 * graceMs)];
  const { end, rest, outcomes } = await running;
  // Timers are late on a busy machine, this one as much as that of the run.
  expect(manyGraces.aborted).toBe(false);
  expect(process.cpuUsage(start).user).toBeLessThan(500_000);
  expect(end).toBe("stopped");
  expect(rest.length + outcomes.filter(({ state }) => state === "changed" || state === "already").length).toBe(20_000);
});

test("stop while the service is away ends the wait at once", async () => {
  const fake = createFakeSiteward({ websites: domains.slice(0, 20) });
  const stop = new AbortController();
  fake.failNext({ networkError: true, method: "PUT", times: 1_000 });
  const siteward = new Siteward(fake.clientOptions);
  const { outcomes, end, rest } = await runChanges(siteward, edits(ids.slice(0, 20), { set: { email: 1 } }), {
    ...{ signal: stop.signal, graceMs: 500 },
    onProgress: ({ phase }) => phase === "sending" && setTimeout(() => stop.abort(), 20),
  });
  expect([end, rest.length]).toEqual(["stopped", 20]);
  expect(new Set(statesOf(outcomes))).toEqual(new Set(["not_tried"]));
});
