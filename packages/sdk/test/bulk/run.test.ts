import { describe, expect, test } from "vitest";
import { type Change, runChanges, undoOf } from "../../src/bulk/index.ts";
import { type Fetch, Siteward, type UpdateWebsite } from "../../src/index.ts";
import type { FakeSiteward } from "../../src/testing/index.ts";
import { create, edits, statesOf, withPassword } from "./support/edits.ts";

describe("a change", () => {
  test("is decided on what the service says in this run, not on what it was like before", async () => {
    const { fake, siteward } = create([{ privacy: 1 }, {}, {}]);
    // Somebody makes the private one public after it was selected.
    await siteward.websites.update(1, { privacy: 0 });
    const { outcomes, end } = await runChanges(siteward, edits([1, 2, 3], { set: { privacy: 1 } }));
    expect([end, statesOf(outcomes)]).toEqual(["done", ["changed", "changed", "changed"]]);
    expect(fake.websites.map(({ privacy }) => privacy)).toEqual([1, 1, 1]);
  });

  test("is decided anew if others change the website meanwhile, and keeps what they did", async () => {
    const { fake, siteward } = create([{ exclude_ips: ["192.0.2.1"] }]);
    const consent = async () => {
      await siteward.websites.update(1, { exclude_ips: ["192.0.2.1", "192.0.2.2"], email: 1 });
      return true;
    };
    const edit = {
      set: { privacy: 0 },
      add: { exclude_ips: ["192.0.2.3"] },
      remove: { exclude_ips: ["192.0.2.1"] },
    } as const;
    const creation: Change = { action: "create", domain: "new.example", set: {} };
    const { outcomes } = await runChanges(siteward, [...edits([1], edit), creation], { consent });
    expect(statesOf(outcomes)).toEqual(["changed", "changed"]);
    expect(fake.websites[0]).toMatchObject({ exclude_ips: ["192.0.2.2", "192.0.2.3"], email: 1 });
    expect(outcomes[0]?.before).toEqual({ exclude_ips: ["192.0.2.1", "192.0.2.2"], has_password: false });
  });

  test("that is not needed is confirmed by the service, which compares entries as it stores them, and not sent", async () => {
    const { fake, siteward } = create([{ exclude_ips: ["198.51.100.4", "2001:db8::1"] }, { exclude_ips: [] }]);
    const add = { exclude_ips: ["198.51.100.4/32", "2001:DB8::1/128"] };
    const { outcomes } = await runChanges(siteward, [
      ...edits([1], { add }),
      ...edits([1], { set: { exclude_ips: "198.51.100.4/32\n2001:DB8:0::1" } }),
      ...edits([2], { add, remove: { exclude_ips: ["198.51.100.4/32"] } }),
    ]);
    expect(statesOf(outcomes)).toEqual(["already", "already", "changed"]);
    expect(outcomes[0]?.now?.tag).toBeDefined();
    expect(writesOf(fake)).toEqual(["PUT /api/v1/websites/2"]);
  });

  test("that no website can have costs one request", async () => {
    const { fake, siteward } = create(Array.from({ length: 50 }, () => ({})));
    const ids = Array.from({ length: 50 }, (_, index) => index + 1);
    const add = { exclude_ips: ["not an address"] };
    const { end, culprit, rest } = await runChanges(siteward, edits(ids, { add }), { stopsAt: () => true });
    expect([end, culprit?.state, rest.length, writesOf(fake).length]).toEqual(["refused", "refused", 49, 1]);
  });

  test.for([
    ["entity tags", "etag", undefined, { state: "failed", reason: "untagged" }],
    ["conditions", "if-match", '"1-1-1"', { state: "refused", reason: "overwritten" }],
  ] as const)("is not called done behind a proxy that removes %s", async ([, removed, tag, expected]) => {
    const { fake, siteward } = create([{ privacy: 1 }]);
    const others = (headers: Iterable<readonly [string, string]>) =>
      Object.fromEntries([...headers].filter(([name]) => name !== removed));
    const fetch: Fetch = async (url, init) => {
      const response = await fake.fetch(url, { ...init, headers: others(Object.entries(init.headers)) });
      return new Response(await response.text(), { status: response.status, headers: others(response.headers) });
    };
    const only = tag && { tag, website: await siteward.websites.get(1) };
    // Between the reading and the update.
    const consent = async () => (await siteward.websites.update(1, { email: 1 })).email === 1;
    const known = new Map([[1, { tag: '"1-1-1"', website: await siteward.websites.get(1) }]]);
    const changes = edits([1], { set: { privacy: 0 } }).map((update) => ({ ...update, only }));
    const { outcomes } = await runChanges(siteward.withOptions({ fetch }), changes, { known, consent });
    expect(outcomes).toMatchObject([expected]);
  });

  test("that one website cannot have does not stop the others, and says why", async () => {
    const full = Array.from({ length: 100 }, (_, index) => `p${index}`);
    const { fake, siteward } = create([{ exclude_params: full }, {}, {}]);
    await siteward.websites.delete(3);
    const { outcomes, end, rest } = await runChanges(siteward, edits([1, 2, 3], { add: { exclude_params: ["more"] } }));
    expect([end, statesOf(outcomes), rest]).toEqual(["done", ["refused", "changed", "refused"], []]);
    expect(String(outcomes[0]?.error)).toContain("101 different entries");
    expect(outcomes[2]?.reason).toBe("gone");
    expect(fake.websites[1]?.exclude_params).toEqual(["more"]);
  });
});

describe("an answer that is lost", () => {
  test.for([0, 2])("is found by reading, with %i retries of the client", async (maxRetries) => {
    const { fake, siteward } = create([{ privacy: 1, email: 1 }]);
    fake.failNext({ networkError: true, when: "after", method: "PUT" });
    const { outcomes } = await runChanges(siteward, edits([1], { set: { privacy: 0 } }), { maxRetries });
    expect(outcomes).toMatchObject([
      { state: "changed", before: { privacy: 1 }, fields: { privacy: 0 }, now: { tag: '"1-1-2"' } },
    ]);
    expect(writesOf(fake)).toHaveLength(maxRetries === 0 ? 1 : 2);
  });

  test("of a create or a delete counts once", async () => {
    const { fake, siteward } = create([{}], { maxRetries: 0 });
    fake.failNext({ networkError: true, when: "after", method: "POST" });
    fake.failNext({ networkError: true, when: "after", method: "DELETE" });
    const { outcomes } = await runChanges(siteward, [
      { action: "delete", id: 1, domain: "site1.example" },
      { action: "create", domain: "new.example", set: {} },
    ]);
    expect(statesOf(outcomes)).toEqual(["changed", "changed"]);
    expect(fake.websites.map(({ domain }) => domain)).toEqual(["new.example"]);
  });

  test("is found behind a browser, which repeats a request unseen", async () => {
    const { fake, siteward } = create([{ privacy: 1 }]);
    const fetch: Fetch = async (url, init) => {
      if (init.method === "PUT") await fake.fetch(url, init);
      return await fake.fetch(url, init);
    };
    const { outcomes } = await runChanges(siteward.withOptions({ fetch }), edits([1], { set: { privacy: 0 } }));
    expect(outcomes).toMatchObject([{ state: "changed", before: { privacy: 1 }, fields: { privacy: 0 } }]);
  });

  test.for([
    [
      "is sent again",
      { privacy: 1 },
      { set: { ...withPassword, email: 1 } },
      [{ email: 0 }],
      [{ edit: { set: { privacy: 1, email: 0 } } }],
    ],
    ["is as wanted", {}, { remove: { exclude_ips: ["192.0.2.1"] } }, [{ exclude_ips: ["192.0.2.2"] }], []],
    [
      "is sent again, and lost again,",
      {},
      { set: { email: 1 }, add: { exclude_params: ["gclid"] } },
      [{ exclude_params: ["fbclid"] }, undefined, {}],
      [{ edit: { set: { email: 0, exclude_params: ["fbclid"] } } }],
    ],
    [
      "has no password any more",
      withPassword,
      { set: { privacy: 1 } },
      [{ privacy: 0 }, undefined, {}],
      [{ edit: { set: { privacy: 0 } } }],
    ],
    [
      "would become public",
      { privacy: 1 },
      { set: { privacy: 0, email: 1 } },
      [withPassword],
      [{ edit: { set: { email: 0 } } }],
    ],
  ] as const)(
    "and what others make of it before it %s are told apart by an undo",
    async ([, settings, edit, theirs, undo]) => {
      const { fake, siteward } = create([{ ...settings, exclude_ips: ["192.0.2.1"] }]);
      const lost: (UpdateWebsite | undefined)[] = [...(theirs as readonly UpdateWebsite[])];
      const fetch: Fetch = async (url, init) => {
        const response = await fake.fetch(url, init);
        const theirs = init.method === "PUT" ? lost.shift() : undefined;
        if (theirs === undefined) return response;
        if (Object.keys(theirs).length > 0) await siteward.websites.update(1, theirs);
        throw new TypeError("fetch failed");
      };
      const { outcomes } = await runChanges(siteward.withOptions({ fetch }), edits([1], edit));
      expect(undoOf(outcomes).changes).toMatchObject(undo);
    },
  );

  test("of the version that a person saw is what was made of it, also if others changed it then", async () => {
    const { fake, siteward } = create([{ privacy: 1 }]);
    const only = { website: await siteward.websites.get(1), tag: '"1-1-1"' };
    const fetch: Fetch = async (url, init) => {
      const response = await fake.fetch(url, init);
      if (init.method !== "PUT" || response.status !== 200) return response;
      await siteward.websites.update(1, { email: 1, exclude_params: ["fbclid"] });
      throw new TypeError("fetch failed");
    };
    const set = { privacy: 0, email: 0, exclude_bots: 0, exclude_params: ["gclid"] } as const;
    const [change] = edits([1], { set });
    const { outcomes } = await runChanges(siteward.withOptions({ fetch }), [{ ...change, only } as Change]);
    expect(outcomes).toMatchObject([
      { state: "changed", fields: { privacy: 0, exclude_bots: 0 }, now: { tag: '"1-1-3"' } },
    ]);
    expect(undoOf(outcomes).changes).toMatchObject([{ edit: { set: { privacy: 1, exclude_bots: 1 } } }]);
  });

  test("behind a browser, and perhaps before others changed the website, is not called theirs", async () => {
    const { fake, siteward } = create([{}, {}]);
    const stop = new AbortController();
    const fetch: Fetch = async (url, init) => {
      if (init.method !== "PUT") return await fake.fetch(url, init);
      await fake.fetch(url, init);
      const id = Number(String(url).slice(-1));
      await siteward.websites.update(id, { exclude_bots: 0 });
      if (id === 2) stop.abort();
      return await fake.fetch(url, init);
    };
    const { signal } = stop;
    const email = edits([1, 2], { set: { email: 1 } });
    const { outcomes, rest } = await runChanges(siteward.withOptions({ fetch }), email, { signal });
    expect(outcomes).toMatchObject([{ state: "refused", reason: "changed" }, { state: "unknown" }]);
    expect((await runChanges(siteward, rest)).outcomes).toMatchObject([{ state: "refused", reason: "changed" }]);
  });

  test("is none if others changed the website before a stop", async () => {
    const { fake, siteward } = create([{}]);
    const stop = new AbortController();
    const fetch: Fetch = async (url, init) => {
      if (init.method === "PUT") await siteward.websites.update(1, { exclude_bots: 0 }).then(() => stop.abort());
      return await fake.fetch(url, init);
    };
    const { signal } = stop;
    const run = await runChanges(siteward.withOptions({ fetch }), edits([1], { set: { email: 1 } }), { signal });
    expect(statesOf(run.outcomes)).toEqual(["not_tried"]);
  });

  test("and cannot be found is unknown, and a later run finds it", async () => {
    const { fake, siteward } = create([{ privacy: 1 }, { privacy: 1 }, { privacy: 1 }]);
    fake.failNext({ networkError: true, when: "after", method: "PUT" });
    fake.failNext({ networkError: true, method: "GET", path: "/api/v1/websites/1", times: 3 });
    const first = await runChanges(siteward, edits([1, 2, 3], { set: { privacy: 0 } }), { maxRetries: 0 });
    expect([first.end, statesOf(first.outcomes)]).toEqual(["error", ["unknown", "not_tried", "not_tried"]]);
    const second = await runChanges(siteward, first.rest);
    expect(second.outcomes).toMatchObject(Array(3).fill({ state: "changed", before: { privacy: 1 } }));
    expect(fake.websites.map(({ privacy }) => privacy)).toEqual([0, 0, 0]);
  });
});

describe("consent", () => {
  test("is asked once, before anything is sent, with what becomes public and what is lost", async () => {
    const { fake, siteward } = create([{}, { privacy: 1 }, withPassword, withPassword]);
    const asked: unknown[] = [];
    const consent = (exposure: unknown) => asked.push([exposure, writesOf(fake)]) === 0;
    const changes: Change[] = [
      ...edits([1, 2, 3], { set: { privacy: 0 } }),
      ...edits([4], { set: { privacy: 1 } }),
      { action: "create", domain: "new.example", set: {} },
    ];
    const { end, rest } = await runChanges(siteward, changes, { consent });
    const exposure = {
      created: ["new.example"],
      opened: ["site2.example", "site3.example"],
      passwords: ["site3.example", "site4.example"],
    };
    expect(asked).toEqual([[exposure, []]]);
    expect([end, rest.length, writesOf(fake)]).toEqual(["declined", 5, []]);
  });

  test("is not asked if nothing is exposed", async () => {
    const { siteward } = create([{}, { privacy: 1 }, withPassword]);
    await siteward.websites.delete(3);
    const consent = () => {
      throw new Error("asked");
    };
    const { end } = await runChanges(siteward, edits([1, 2, 3], { set: { privacy: 1 } }), { consent });
    expect(end).toBe("done");
  });

  test("does not cover a website that became private after it was counted", async () => {
    const { fake, siteward } = create([{}, { privacy: 1 }]);
    const consent = async () => {
      await siteward.websites.update(1, { email: 1, privacy: 1 });
      return true;
    };
    const { outcomes } = await runChanges(siteward, edits([1, 2], { set: { privacy: 0, exclude_bots: 0 } }), {
      consent,
    });
    expect(outcomes).toMatchObject([{ state: "refused", reason: "opens" }, { state: "changed" }]);
    expect(fake.websites[0]?.privacy).toBe(1);
  });

  test("does not cover a website that was not found when it was counted", async () => {
    const { fake, siteward } = create([{ privacy: 1 }]);
    fake.failNext({ code: "not_found", method: "GET" });
    const { outcomes } = await runChanges(siteward, edits([1], { set: { privacy: 0 } }), { consent: () => true });
    expect(outcomes).toMatchObject([{ state: "refused", reason: "opens" }]);
  });

  test("is not asked after a stop", async () => {
    const { fake, siteward } = create([{ privacy: 1 }]);
    fake.failNext({ delayMs: 50 });
    const signal = AbortSignal.timeout(10);
    const consent = () => expect.unreachable();
    const { end } = await runChanges(siteward, edits([1], { set: { privacy: 0 } }), { signal, consent });
    expect(end).toBe("stopped");
  });

  test("to a new website does not open one that somebody else has created meanwhile", async () => {
    const { fake, siteward } = create([]);
    const consent = async () => (await siteward.websites.create({ domain: "new.example", privacy: 1 })).id > 0;
    const creation = { action: "create", domain: "new.example", set: { privacy: 0 }, ifTaken: "update" } as const;
    const { outcomes } = await runChanges(siteward, [creation], { consent });
    expect(outcomes).toMatchObject([{ state: "refused", reason: "opens" }]);
    expect(fake.websites).toMatchObject([{ privacy: 1 }]);
  });
});

test("a key that stops working ends the run with what was done, and another key does the rest", async () => {
  const { fake, siteward } = create(Array.from({ length: 40 }, () => ({})));
  const apiKey = fake.createApiKey();
  let count = 0;
  const onOutcome = () => {
    count += 1;
    if (count === 10) fake.revokeApiKey(fake.apiKey);
  };
  const ids = Array.from({ length: 40 }, (_, index) => index + 1);
  const first = await runChanges(siteward, edits(ids, { set: { privacy: 1 } }), { onOutcome });
  expect([first.end, first.culprit?.state]).toEqual(["error", "failed"]);
  const done = first.outcomes.filter(({ state }) => state === "changed").length;
  expect(done).toBe(fake.websites.filter(({ privacy }) => privacy === 1).length);
  expect(done + first.rest.length).toBe(40);
  const other = new Siteward({ ...fake.clientOptions, apiKey });
  const second = await runChanges(other, first.rest);
  expect(second.end).toBe("done");
  expect(fake.websites.every(({ privacy }) => privacy === 1)).toBe(true);
});

test("a delete of a website that changed since it was shown is refused with what it has become", async () => {
  const { fake, siteward } = create([{}, {}]);
  const shown = await Promise.all(
    [1, 2].map(async (id) => (await runChanges(siteward, edits([id], {}))).outcomes[0]?.now),
  );
  await siteward.websites.update(1, { privacy: 1 });
  const changes = shown.map(
    (only, at): Change => ({ action: "delete", id: at + 1, domain: `site${at + 1}.example`, only }),
  );
  const { outcomes, rest } = await runChanges(siteward, changes);
  expect(outcomes).toMatchObject([
    { state: "refused", reason: "changed", now: { website: { privacy: 1 } } },
    { state: "changed" },
  ]);
  expect(rest).toEqual([]);
  const untagged = await runChanges(siteward, [{ ...changes[0], only: { tag: "" } } as Change]);
  expect(untagged.outcomes).toMatchObject([{ state: "failed", reason: "untagged" }]);
  // Asked again, a person agrees to what it is now.
  const again = await runChanges(siteward, [{ ...changes[0], only: outcomes[0]?.now } as Change]);
  expect(statesOf(again.outcomes)).toEqual(["changed"]);
  expect(fake.websites).toEqual([]);
});

function writesOf(fake: FakeSiteward): readonly string[] {
  return fake.requests
    .filter(({ method, headers }) => method !== "GET" && headers["user-agent"] !== undefined)
    .map(({ method, path }) => `${method} ${path}`);
}
