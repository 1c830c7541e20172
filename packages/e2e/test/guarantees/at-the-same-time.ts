import type { Answer } from "@siteward/testing/answer";
import { expect } from "vitest";
import { Caller, one, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";
import { range } from "./lists.ts";

export const atTheSameTime: Guarantees = {
  "of twenty creates of one domain, one is done, and the others say its ID": async (caller) => {
    const answers = await Promise.all(range(1, 20).map(() => caller.create({ domain: "example.com" })));
    const [created, ...refused] = answers.toSorted((one, other) => one.status - other.status);
    for (const { refusal, problem } of refused)
      expect([...refusal, problem.website_id]).toEqual([409, "domain_taken", created?.website.id]);
    expect(await caller.count()).toBe(1);
  },
  "an account creates as many websites as its limit, even if more are requested at once": async (_, service) => {
    const caller = new Caller(service, { websiteLimit: 3 });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => caller.create({ domain: `site-${index}.example` })),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(7);
    for (const { refusal, problem } of refused) {
      expect([...refusal, problem.limit]).toEqual([403, "website_limit_reached", 3]);
    }
    expect(await caller.count()).toBe(3);
    await Promise.all(range(1, 3).map((id) => caller.call("DELETE", `${websites}/${id}`)));
    expect(await caller.count()).toBe(0);
  },
  "each update has a version of its own and answers with what it wrote, and the newest stays": async (caller) => {
    const created = await caller.create({ domain: "example.com" });
    const answers = await Promise.all(range(1, 12).map((mark) => caller.put(one, { exclude_params: [`${mark}`] })));
    expect(answers.map(({ website }) => website.exclude_params)).toEqual(range(1, 12).map((mark) => [`${mark}`]));
    const versions = answers.map(versionOf).sort((left, right) => left - right);
    expect(versions).toEqual(range(versionOf(created) + 1, versionOf(created) + 12));
    const newest = answers.find((answer) => versionOf(answer) === versions.at(-1));
    expect((await caller.get(one)).text).toBe(newest?.text);
  },
  "after a delete no update is done": async (caller) => {
    await caller.createAll(["example.com"]);
    const update = () => caller.put(one, { exclude_params: [`${Math.random()}`] });
    const deletes = range(1, 3).map(() => caller.call("DELETE", one));
    const updates = await Promise.all(range(1, 12).map(update));
    expect((await Promise.all(deletes)).map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    expect([200, 404]).toEqual(expect.arrayContaining(updates.map(({ status }) => status)));
    expect((await caller.get(one)).status).toBe(404);
  },
  "no ID is used twice, and what was not deleted is left, if all create and delete one domain": async (caller) => {
    const ids: number[] = [];
    let deleted = 0;
    const takeTurns = async () => {
      for (let turn = 0; turn < 5; turn += 1) {
        const created = await caller.create({ domain: "example.com" });
        if (created.status === 201) ids.push(created.website.id);
        const id = created.status === 201 ? created.website.id : created.problem.website_id;
        const { status } = await caller.call("DELETE", `${websites}/${id}`);
        expect([204, 404]).toContain(status);
        deleted += Number(status === 204);
      }
    };
    await Promise.all(range(1, 6).map(takeTurns));
    expect(new Set(ids).size).toBe(ids.length);
    expect(await caller.count()).toBe(ids.length - deleted);
  },
  "updates of different fields are all kept": async (caller) => {
    await caller.create({ domain: "example.com", privacy: 1, email: 1, exclude_bots: 0, exclude_params: "gclid" });
    const changes = [
      { privacy: 0 },
      { email: 0 },
      { exclude_bots: 1 },
      { exclude_params: ["a"] },
      { exclude_ips: ["::1"] },
    ];
    await Promise.all(changes.map((json) => caller.put(one, json)));
    expect((await caller.get(one)).website).toMatchObject(Object.assign({}, ...changes));
  },
  "a password never remains with privacy 0 if it is changed while the privacy is": async (caller) => {
    await caller.create({ domain: "example.com", privacy: 2, password: "correct horse" });
    await Promise.all([caller.put(one, { password: "another horse" }), caller.put(one, { privacy: 0 })]);
    expect((await caller.get(one)).website).toMatchObject({ privacy: 0, has_password: false });
  },
  "of twenty updates with the same If-Match, one is done, and the others get a 412 with its tag": async (caller) => {
    const headers = { "If-Match": (await caller.create({ domain: "example.com" })).etag };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => caller.put(one, { exclude_params: [`from-${index}`] }, headers)),
    );
    const done = answers.filter(({ status }) => status === 200);
    expect(done.map(({ text, etag }) => [text, etag])).toEqual([
      [(await caller.get(one)).text, (await caller.get(one)).etag],
    ]);
    for (const answer of answers)
      if (answer !== done[0])
        expect([...answer.refusal, answer.etag]).toEqual([412, "precondition_failed", done[0]?.etag]);
  },
  "of an update and a delete with the same If-Match, one is done": async (caller) => {
    const headers = { "If-Match": (await caller.create({ domain: "example.com" })).etag };
    const [updated, deleted] = await Promise.all([
      caller.put(one, { email: 1 }, headers),
      caller.call("DELETE", one, { headers }),
    ]);
    expect([
      [200, 412],
      [404, 204],
    ]).toContainEqual([updated.status, deleted.status]);
    expect(await caller.count()).toBe(updated.status === 200 ? 1 : 0);
  },
  "of ten deletes of a website, one is done, and the others do not find it": async (caller) => {
    await caller.createAll(["example.com"]);
    const answers = await Promise.all(Array.from({ length: 10 }, () => caller.call("DELETE", one)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)]);
    expect(await caller.count()).toBe(0);
  },
  "a list is one state of the account: it has as many websites as it counts, also while others are created and deleted":
    async (caller) => {
      const writing = range(1, 60).map(async (number) => {
        const { website } = await caller.create({ domain: `site-${number}.example` });
        if (number % 3 === 0) await caller.call("DELETE", `${websites}/${website.id}`);
      });
      const reading = range(1, 60).map(async (number) => {
        const { data, meta } = (await caller.get(`${websites}?per_page=100${number % 2 ? "&search=site-" : ""}`)).page;
        expect(data).toHaveLength(meta.total);
      });
      await Promise.all([...writing, ...reading]);
      expect(await caller.count()).toBe(40);
    },
  "every answer has another request ID": async (caller) => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => caller.get(websites)));
    expect(new Set(answers.map((answer) => answer.header("X-Request-Id"))).size).toBe(20);
  },
};

/** A tag ends with the version of the record. */
function versionOf({ etag }: Answer): number {
  return Number(/-(\d+)"$/.exec(etag)?.[1]);
}
