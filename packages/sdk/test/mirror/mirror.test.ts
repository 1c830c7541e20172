import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { mirrorWebsites } from "../../src/mirror/index.ts";
import { website } from "../support/website.ts";
import { openFake } from "../testing/support/open-fake.ts";
import { codesOf, inOrder, mirrorFake, openMirror } from "./support/open-mirror.ts";

afterEach(() => {
  vi.useRealTimers();
});

const domains = (count: number) => Array.from({ length: count }, (_, index) => ({ domain: `site-${index}.example` }));
const path = "/api/v1/websites";

describe("a mirror", () => {
  test("has all websites of the account, by ID and by domain in either form", async () => {
    const { mirror, fake } = await openMirror({ websites: [...domains(250), { domain: "Bücher.example" }] });
    expect(mirror.size).toBe(251);
    expect(inOrder(mirror)).toEqual(fake.websites);
    expect(mirror.byId(7)?.domain).toBe("site-6.example");
    for (const form of ["bücher.example", "BÜCHER.example.", "xn--bcher-kva.example", " XN--BCHER-KVA.example"]) {
      expect(mirror.byDomain(form)?.id).toBe(251);
    }
    expect([mirror.byId(0), mirror.byDomain("other.example"), mirror.byDomain(""), mirror.byDomain("a b")]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("finds the website of a host with or without www., that of the host itself first", async () => {
    const websites = ["shop.example", "www.blog.example", "both.example", "www.both.example"].map((domain) => ({
      domain,
    }));
    const { mirror } = await openMirror({ websites });
    const hosts = [
      "shop.example",
      "www.shop.example",
      "WWW.Shop.example.",
      "blog.example",
      "www.both.example",
      "a.shop.example",
    ];
    const found = hosts.map((host) => mirror.byHost(host)?.domain);
    const [shop, blog, both] = ["shop.example", "www.blog.example", "www.both.example"];
    expect(found).toEqual([shop, shop, shop, blog, both, undefined]);
  });

  test("follows what is created, updated and deleted, and tells it in order, with what it was before", async () => {
    const { mirror, fake, other, changes } = await openMirror({ websites: domains(2) });
    const created = await other.websites.create({ domain: "new.example" });
    const updated = await other.websites.update(1, { exclude_params: ["utm_*"] });
    await other.websites.delete(2);
    await mirror.sync();
    expect(inOrder(mirror)).toEqual(fake.websites);
    expect(changes).toEqual([
      { kind: "deleted", website: expect.objectContaining({ id: 2 }), before: expect.objectContaining({ id: 2 }) },
      { kind: "created", website: created, before: undefined },
      { kind: "updated", website: updated, before: expect.objectContaining({ exclude_params: [] }) },
    ]);
    expect(mirror.byDomain("site-1.example")).toBeUndefined();
  });

  test("reads several pages of changes at once, also if all of them are deletions", async () => {
    const { mirror, other, changes } = await openMirror({ websites: domains(650) });
    for (let id = 1; id <= 600; id += 1) await other.websites.delete(id);
    await mirror.sync();
    expect(mirror.size).toBe(50);
    expect(changes.length).toBe(600);
  });

  test("has a website that was created, and not one that was deleted, while its pages were read", async () => {
    const opened = openFake({ websites: domains(250) });
    let count = 0;
    const siteward = opened.siteward.withOptions({
      async fetch(url, init) {
        const response = await opened.fake.fetch(url, init);
        count += 1;
        if (count === 1) await opened.other.websites.delete(1);
        if (count === 2) await opened.other.websites.create({ domain: "site-0.example" });
        return response;
      },
    });
    const { mirror } = await mirrorFake({ ...opened, siteward });
    expect(inOrder(mirror)).toEqual(opened.fake.websites);
    expect(mirror.byDomain("site-0.example")?.id).toBe(251);
  });

  test("reads all websites again if its cursor has expired, serves the old ones meanwhile, and tells the differences", async () => {
    const { mirror, fake, other, changes } = await openMirror({ websites: domains(3) });
    const same = mirror.byId(3);
    await other.websites.delete(1);
    await other.websites.update(2, { email: 1 });
    await other.websites.create({ domain: "new.example" });
    fake.failNext({ code: "cursor_expired", delayMs: 20 });
    fake.failNext({ delayMs: 20 });
    const syncing = mirror.sync();
    await sleep(10);
    expect(mirror.size).toBe(3);
    await syncing;
    expect(inOrder(mirror)).toEqual(fake.websites);
    expect(changes.map(({ kind, website }) => [kind, website.id])).toEqual([
      ["deleted", 1],
      ["updated", 2],
      ["created", 4],
    ]);
    expect(mirror.byId(3)).toBe(same);
  });

  test("answers calls at the same time with one request, which begins after them", async () => {
    const { mirror, fake, other } = await openMirror();
    const before = fake.requests.length;
    await Promise.all([mirror.sync(), mirror.sync(), mirror.sync()]);
    expect(fake.requests.length).toBe(before + 1);
    fake.failNext({ delayMs: 20 });
    const first = mirror.sync();
    await sleep(5);
    await other.websites.create({ domain: "late.example" });
    await mirror.sync();
    expect(mirror.byDomain("late.example")).toBeDefined();
    await first;
  });

  test("tells onError of a request that fails, and not the process if nobody awaits it", async () => {
    const { mirror, fake, errors } = await openMirror();
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    fake.failNext({ code: "not_found" });
    void mirror.sync();
    await expect.poll(() => codesOf(errors)).toEqual(["not_found"]);
    await sleep(5);
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });

  test("has websites and lists that nobody can change", async () => {
    const { mirror } = await openMirror({ websites: [{ domain: "a.example", exclude_ips: ["203.0.113.7"] }] });
    for (const list of [mirror.byId(1)?.exclude_ips, mirror.byId(1)?.exclude_params]) {
      expect(() => Reflect.apply(Array.prototype.push, list, ["x"])).toThrow(TypeError);
    }
    expect(Object.isFrozen(mirror.byId(1))).toBe(true);
  });
});

test("the first read of a mirror is told page by page, the newest websites first, also if a page fails in between", async () => {
  const opened = openFake({ websites: domains(250) });
  const read: unknown[] = [];
  const onRead = (websites: ReadonlyMap<number, unknown>, total: number) => {
    read.push([[...websites.keys()].slice(-2), websites.size, total]);
    if (read.length === 1) opened.fake.failNext({ networkError: true });
  };
  const { mirror, errors } = await mirrorFake(opened, { intervalMs: 1, onRead });
  const pages = [
    [[152, 151], 100, 250],
    [[52, 51], 200, 250],
    [[2, 1], 250, 250],
  ];
  expect(read).toEqual(pages);
  expect(codesOf(errors)).toEqual(["connection_failed"]);
  // Not the first one.
  opened.fake.failNext({ code: "cursor_expired" });
  await mirror.sync();
  expect(read).toEqual(pages);
});

test("the first read of a mirror leaves what was read if the program ends it because it has enough", async () => {
  const { fake, siteward, other } = openFake({ websites: domains(250) });
  const controller = new AbortController();
  let read: ReadonlyMap<number, unknown> = new Map();
  const onRead = (websites: typeof read) => {
    read = websites;
    if (websites.size >= 200) controller.abort();
  };
  const opened = mirrorWebsites(siteward, { signal: controller.signal, onRead });
  await expect(opened).rejects.toMatchObject({ code: "aborted" });
  await other.websites.delete(250);
  expect([read.size, read.has(250), fake.requests.filter(({ method }) => method === "GET").length]).toEqual([
    200,
    true,
    2,
  ]);
});

describe("a service that is away", () => {
  test("is asked until it answers, also at the start, and each reason in a row is reported once", async () => {
    const opened = openFake({ websites: domains(250) });
    opened.fake.failNext({ networkError: true, times: 2 });
    opened.fake.failNext({ code: "unauthenticated" });
    const { mirror, errors } = await mirrorFake(opened, { intervalMs: 1 });
    expect(mirror.size).toBe(250);
    expect(codesOf(errors)).toEqual(["connection_failed", "unauthenticated"]);
    opened.fake.failNext({ code: "unauthenticated", times: 2 });
    await expect.poll(() => codesOf(errors).slice(2)).toEqual(["unauthenticated"]);
  });

  test("is asked for the page at which it went away, not for all again, and then with one small request for changes", async () => {
    const opened = openFake({ websites: domains(350) });
    const failing = opened.siteward.withOptions({
      fetch: (url, init) => {
        if (opened.fake.requests.length === 2) opened.fake.failNext({ code: "unavailable" });
        return opened.fake.fetch(url, init);
      },
    });
    const { mirror, fake } = await mirrorFake({ ...opened, siteward: failing }, { intervalMs: 1 });
    expect(mirror.size).toBe(350);
    expect(fake.requests.map(({ status }) => status)).toEqual([200, 200, 503, 200, 200, 304]);
  });

  test("leaves the last websites as they are, and the mirror says how old they are", async () => {
    const { mirror, fake, errors } = await openMirror({ websites: domains(2) }, { staleAfterMs: 60_000 });
    const { lastSyncAt } = mirror;
    expect([mirror.isStale, lastSyncAt instanceof Date]).toEqual([false, true]);
    fake.failNext({ networkError: true, times: Number.POSITIVE_INFINITY });
    await expect(mirror.sync()).rejects.toMatchObject({ code: "connection_failed" });
    await expect(mirror.sync()).rejects.toMatchObject({ code: "connection_failed" });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    expect([mirror.size, mirror.isStale, mirror.lastSyncAt]).toEqual([2, true, lastSyncAt]);
    expect(codesOf(errors)).toEqual(["connection_failed"]);
    vi.setSystemTime(0);
    expect(mirror.isStale).toBe(true);
  });

  test("that is slow leaves the mirror as fresh as the request, since the answer may lack what came after it", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    const opened = openFake();
    const siteward = opened.siteward.withOptions({
      fetch: async (url, init) => {
        const answer = await opened.fake.fetch(url, init);
        vi.setSystemTime(Date.now() + 5_000);
        return answer;
      },
    });
    const { mirror, other } = await mirrorFake({ ...opened, siteward });
    await other.websites.create({ domain: "a.example" });
    const sentMs = Date.now();
    await mirror.sync();
    expect([mirror.size, mirror.lastSyncAt.getTime()]).toEqual([1, sentMs]);
  });

  test("and says when to come back is left alone until then", async () => {
    const { fake } = await openMirror({}, { intervalMs: 1 });
    fake.failNext({ code: "unavailable", headers: { "Retry-After": "60" } });
    await expect.poll(() => fake.requests.at(-1)?.status).toBe(503);
    const before = fake.requests.length;
    await sleep(300);
    expect(fake.requests.length).toBe(before);
  });

  test("and sends a website with a field of another type changes nothing", async () => {
    const { mirror, fake } = await openMirror({ websites: domains(1) });
    for (const field of Object.keys(website(2))) {
      const sent = { data: [{ ...website(2), [field]: {} }], meta: { next_cursor: null, changes_cursor: "C" } };
      fake.failNext({ status: 200, body: JSON.stringify(sent) });
      await expect(mirror.sync(), field).rejects.toThrow();
    }
    expect(mirror.size).toBe(1);
  });

  test.each([
    ["a page of a proxy", { status: 200 }],
    ["a list without a cursor of changes", { status: 200, body: '{"data":[],"meta":{"next_cursor":null}}' }],
    ["an older service, which refuses changed_since", { code: "validation_failed" }],
  ] as const)("and sends %s changes nothing, and is reported", async (_what, answer) => {
    const { mirror, fake, other, errors } = await openMirror({ websites: domains(3) });
    fake.failNext({ ...answer, path });
    await expect(mirror.sync()).rejects.toThrow();
    expect(errors.length).toBe(1);
    expect(inOrder(mirror)).toEqual(fake.websites);
    await other.websites.create({ domain: "new.example" });
    await mirror.sync();
    expect(inOrder(mirror)).toEqual(fake.websites);
  });
});

test("the end of a mirror by its signal or by close leaves no timer and no request, and the websites stay", async () => {
  const controller = new AbortController();
  const first = await openMirror({ websites: domains(1) }, { intervalMs: 1, signal: controller.signal });
  const second = await mirrorFake(first, { intervalMs: 1 });
  first.fake.failNext({ delayMs: Number.POSITIVE_INFINITY, times: 2 });
  await sleep(20);
  controller.abort();
  await Promise.all([first.mirror.close(), second.mirror.close()]);
  const { length } = first.fake.requests;
  await sleep(20);
  expect(first.fake.requests.length).toBe(length);
  expect([first.mirror.size, second.mirror.size]).toEqual([1, 1]);
  await expect(second.mirror.sync()).rejects.toMatchObject({ code: "aborted" });
});

test("the end of a mirror rejects those who wait for it, at the start and later", async () => {
  const opened = openFake();
  opened.fake.failNext({ delayMs: Number.POSITIVE_INFINITY });
  const signal = AbortSignal.timeout(10);
  await expect(mirrorWebsites(opened.siteward, { signal })).rejects.toMatchObject({ code: "aborted" });
  await expect(mirrorWebsites(opened.siteward, { signal })).rejects.toMatchObject({ code: "aborted" });
  const { mirror, fake } = await mirrorFake(opened);
  fake.failNext({ delayMs: Number.POSITIVE_INFINITY });
  const syncing = mirror.sync();
  await mirror.close();
  await expect(syncing).rejects.toMatchObject({ code: "aborted" });
});

test("functions of the program that throw or reject do not stop the mirror, and are reported", async () => {
  const errors: unknown[] = [];
  let calls = 0;
  const { mirror, other } = await openMirror(
    {},
    {
      onRead() {
        throw new Error("onRead");
      },
      onChange: async () => {
        calls += 1;
        throw new Error(`call ${calls}`);
      },
      onError(error) {
        errors.push(error);
        throw error;
      },
    },
  );
  await other.websites.create({ domain: "a.example" });
  await other.websites.create({ domain: "b.example" });
  await mirror.sync();
  await mirror.sync();
  expect(mirror.size).toBe(2);
  expect(errors).toEqual([new Error("onRead"), new Error("call 1"), new Error("call 2")]);
});
