import { expect } from "vitest";
import { accountPath, type CallOptions, one, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

const change = { email: 1 };

export const conditions: Guarantees = {
  "every read has an entity tag, and gets a 304 while nothing has changed": async (caller) => {
    await caller.createAll(["a.example"]);
    for (const path of [one, websites, `${websites}?search=a`, accountPath]) {
      const tag = (await caller.get(path)).header("ETag") ?? "";
      for (const sent of [tag, `"x", ${tag}`, tag.replace("W/", ""), "*"]) {
        const answer = await caller.get(path, { "If-None-Match": sent });
        expect([answer.status, answer.text, answer.header("ETag")]).toEqual([304, "", tag]);
      }
      await caller.createAll([`for-${path.length}.example`]);
      await caller.put(one, { exclude_params: [`p${path.length}`] });
      const answer = await caller.get(path, { "If-None-Match": tag });
      expect([answer.status, answer.header("ETag") === tag]).toEqual([200, false]);
    }
  },
  "a record has a strong tag, and a list and the account have weak ones that If-Match never matches": async (
    caller,
  ) => {
    expect((await caller.create({ domain: "a.example" })).etag).toBe((await caller.get(one)).etag);
    for (const path of [websites, accountPath]) {
      const tag = (await caller.get(path)).header("ETag") ?? "";
      expect(tag).toMatch(/^W\/"[^"]+"$/);
      const answer = await caller.get(path, { "If-Match": tag });
      expect([...answer.refusal, answer.header("ETag")]).toEqual([412, "precondition_failed", tag]);
      expect(answer.problem.detail).toBe(
        `The entity tag ${tag} is weak, and If-Match never matches a weak one. Send If-None-Match instead.`,
      );
    }
  },
  "a change with the current tag in If-Match is made, and one with an earlier tag gets the current one to retry with":
    async (caller) => {
      const { etag } = await caller.create({ domain: "a.example" });
      const put = (json: unknown, sent: string) => caller.put(one, json, { "If-Match": sent });
      const excluded = await caller.put(one, change, { "If-None-Match": etag });
      expect([...excluded.refusal, excluded.problem.detail]).toEqual([
        ...[412, "precondition_failed"],
        `The record has the entity tag ${etag}, which If-None-Match excludes. ` +
          "Remove If-None-Match to change the record.",
      ]);
      const changed = await put({ privacy: 1 }, `"x", ${etag}`);
      for (const method of ["PUT", "DELETE", "GET"]) {
        const answer = await caller.call(method, one, { headers: { "If-Match": etag } });
        expect([...answer.refusal, answer.etag]).toEqual([412, "precondition_failed", changed.etag]);
        expect(answer.problem.detail).toBe(
          `The record has changed: its entity tag is ${changed.etag}. ` +
            "Read it again, then retry the request with this entity tag in If-Match.",
        );
      }
      expect((await put(change, changed.etag)).website).toMatchObject({ privacy: 1, email: 1 });
      const { etag: current } = await caller.get(one);
      for (const sent of [`W/${current}`, current.replace(/"$/, '-gzip"'), `"x", ${current.replace(/"$/, '-br"')}`])
        expect((await put(change, sent)).problem.detail).toBe(
          `A proxy that compresses has changed the entity tag in If-Match, not the record: send ${current}.`,
        );
      expect((await caller.call("DELETE", one, { headers: { "If-Match": "*" } })).status).toBe(204);
    },
  "an update that would change nothing needs the current tag too": async (caller) => {
    const { etag } = await caller.create({ domain: "a.example" });
    expect((await caller.put(one, {}, { "If-Match": '"x"' })).status).toBe(412);
    const unchanged = await caller.put(one, {}, { "If-Match": etag });
    expect([unchanged.status, unchanged.etag]).toEqual([200, etag]);
  },
  "If-Match is judged before If-None-Match": async (caller) => {
    const { etag } = await caller.create({ domain: "a.example" });
    for (const [ifMatch, ifNoneMatch, status] of [
      ['"x"', etag, 412],
      [etag, etag, 304],
      [etag, '"x"', 200],
    ] as const) {
      const answer = await caller.get(one, { "If-Match": ifMatch, "If-None-Match": ifNoneMatch });
      expect(answer.status).toBe(status);
    }
  },
  "a condition about a website that does not exist is not judged: the answer is 404": async (caller) => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      for (const header of ["If-Match", "If-None-Match"]) {
        for (const [value, status] of [
          ["*", 404],
          ['"1-1-1"', 404],
          ["1", 400],
        ] as const) {
          const json = method === "PUT" ? { json: change } : {};
          const answer = await caller.call(method, one, { headers: { [header]: value }, ...json });
          expect(answer.refusal[0]).toBe(status);
        }
      }
    }
  },
  "a condition about time is ignored, because no answer says when it was last modified": async (caller) => {
    await caller.createAll(["a.example"]);
    const later = new Date(Date.now() + 60_000).toUTCString();
    expect((await caller.get(one, { "If-Modified-Since": later })).status).toBe(200);
    expect((await caller.put(one, change, { "If-Unmodified-Since": new Date(0).toUTCString() })).status).toBe(200);
  },
  "every other refusal comes before that of a condition": async (caller) => {
    await caller.createAll(["a.example"]);
    const headers = { "If-Match": '"9-9"' };
    const reader = caller.account.createApiKey({ scopes: ["websites:read"] });
    const attempts: ReadonlyArray<readonly [status: number, options: CallOptions]> = [
      [401, { json: change, key: null }],
      [403, { json: change, key: reader }],
      [400, { body: "{", headers: { "Content-Type": "application/json" } }],
      [413, { json: { domain: "x".repeat(64 * 1024) } }],
      [415, { body: "x", headers: { "Content-Type": "text/xml" } }],
      [422, { json: { email: 9 } }],
      [422, { json: { privacy: 2 } }],
      [422, { json: { password: "correct horse" } }],
      [412, { json: change }],
    ];
    for (const [status, options] of attempts) {
      const answer = await caller.call("PUT", one, { ...options, headers: { ...headers, ...options.headers } });
      expect(answer.status).toBe(status);
    }
    expect((await caller.call("DELETE", `${websites}/9`, { headers })).refusal).toEqual([404, "not_found"]);
    expect((await caller.get(`${websites}?page=-1`, headers)).refusal).toEqual([422, "validation_failed"]);
  },
  "a header that is not a list of tags gets a 400": async (caller) => {
    for (const [header, text, detail] of [
      ["If-Match", "1-1-1", /^The If-Match header is not valid\. /],
      ["If-None-Match", ", ,", /^The If-None-Match header is not valid\. /],
      ["If-Match", Array(65).fill('"x"').join(), /^The If-Match header has more than 64 entity tags\. /],
    ] as const) {
      const answer = await caller.get(one, { [header]: text });
      expect([...answer.refusal, answer.problem.detail]).toEqual([
        400,
        "malformed_request",
        expect.stringMatching(detail),
      ]);
    }
  },
  "every condition of a POST gets a 400 that says which header to remove, and creates nothing": async (caller) => {
    for (const header of ["If-Match", "If-None-Match"]) {
      for (const value of ["*", '"1-1-1"', "nonsense"]) {
        const answer = await caller.create({ domain: "a.example" }, { [header]: value });
        expect([...answer.refusal, answer.problem.detail]).toEqual([
          ...[400, "malformed_request"],
          `A POST takes no condition. Remove the ${header} header. ` +
            "To create something only once, send an Idempotency-Key header.",
        ]);
      }
    }
    expect(await caller.count()).toBe(0);
  },
};
