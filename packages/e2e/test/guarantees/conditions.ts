import { expect } from "vitest";
import { Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

const one = `${websites}/1`;

export const conditions: Guarantees = {
  "every read has an entity tag, and gets a 304 while nothing has changed": async (service) => {
    const caller = new Caller(service);
    await caller.createAll(["a.example"]);
    for (const path of [one, websites, `${websites}?search=a`, "/api/v1/account"]) {
      const tag = (await caller.call("GET", path)).header("ETag") ?? "";
      for (const sent of [tag, `"x", ${tag}`, tag.replace("W/", ""), "*"]) {
        const answer = await caller.call("GET", path, { headers: { "If-None-Match": sent } });
        expect([answer.status, answer.text, answer.header("ETag")]).toEqual([304, "", tag]);
      }
      await caller.createAll([`for-${path.length}.example`]);
      await caller.call("PUT", one, { json: { exclude_params: [`p${path.length}`] } });
      const answer = await caller.call("GET", path, { headers: { "If-None-Match": tag } });
      expect([answer.status, answer.header("ETag") === tag]).toEqual([200, false]);
    }
  },
  "a record has a strong tag, and a list and the account have weak ones that If-Match never matches": async (
    service,
  ) => {
    const caller = new Caller(service);
    await caller.createAll(["a.example"]);
    expect((await caller.call("GET", one)).header("ETag")).toMatch(/^"[^"]+"$/);
    for (const path of [websites, "/api/v1/account"]) {
      const tag = (await caller.call("GET", path)).header("ETag") ?? "";
      expect(tag).toMatch(/^W\/"[^"]+"$/);
      const answer = await caller.call("GET", path, { headers: { "If-Match": tag } });
      expect([...answer.refusal, answer.header("ETag")]).toEqual([412, "precondition_failed", tag]);
      expect(answer.problem.detail).toBe(
        `The entity tag ${tag} is weak, and If-Match never matches a weak one. Send If-None-Match instead.`,
      );
    }
  },
  "a change with the current tag in If-Match is made, and one with an earlier tag is not": async (service) => {
    const caller = new Caller(service);
    const tag = (await caller.create({ domain: "a.example" })).header("ETag") ?? "";
    const put = (sent: string) => caller.call("PUT", one, { json: { email: 1 }, headers: { "If-Match": sent } });
    const changed = await put(`"x", ${tag}`);
    const current = changed.header("ETag") ?? "";
    expect(changed.website.email).toBe(1);
    for (const method of ["PUT", "DELETE", "GET"]) {
      const answer = await caller.call(method, one, { headers: { "If-Match": tag } });
      expect([...answer.refusal, answer.header("ETag")]).toEqual([412, "precondition_failed", current]);
      expect(answer.problem.detail).toBe(
        `The record has changed: its entity tag is ${current}. Read it again, then retry the request with this entity tag in If-Match.`,
      );
    }
    const weak = await put(`W/${current}`);
    expect(weak.problem.detail).toBe(
      `If-Match never matches a weak entity tag. The record has not changed: send ${current} without W/.`,
    );
    expect((await caller.call("DELETE", one, { headers: { "If-Match": "*" } })).status).toBe(204);
  },
  "a change with the current tag in If-None-Match is not made": async (service) => {
    const caller = new Caller(service);
    const tag = (await caller.create({ domain: "a.example" })).header("ETag") ?? "";
    for (const method of ["PUT", "DELETE"]) {
      const answer = await caller.call(method, one, { headers: { "If-None-Match": tag } });
      expect(answer.refusal).toEqual([412, "precondition_failed"]);
      expect(answer.problem.detail).toBe(
        `The record has the entity tag ${tag}, which If-None-Match excludes. Remove If-None-Match to change the record.`,
      );
    }
  },
  "every other refusal comes before that of a condition": async (service) => {
    const caller = new Caller(service);
    await caller.createAll(["a.example"]);
    const headers = { "If-Match": '"x"' };
    expect((await caller.call("PUT", one, { json: { email: 7 }, headers })).refusal).toEqual([
      422,
      "validation_failed",
    ]);
    expect((await caller.call("PUT", one, { json: { privacy: 2 }, headers })).refusal).toEqual([
      422,
      "validation_failed",
    ]);
    expect((await caller.call("DELETE", `${websites}/9`, { headers })).refusal).toEqual([404, "not_found"]);
    expect((await caller.call("GET", `${websites}?page=-1`, { headers })).refusal).toEqual([422, "validation_failed"]);
  },
  "a header that is not a list of tags gets a 400, and so does every condition of a POST": async (service) => {
    const caller = new Caller(service);
    for (const [header, text, detail] of [
      ["If-Match", "1-1-1", /^The If-Match header is not valid\. /],
      ["If-None-Match", ", ,", /^The If-None-Match header is not valid\. /],
      ["If-Match", Array(65).fill('"x"').join(), /^The If-Match header has more than 64 entity tags\. /],
    ] as const) {
      const answer = await caller.call("GET", one, { headers: { [header]: text } });
      expect([...answer.refusal, answer.problem.detail]).toEqual([
        400,
        "malformed_request",
        expect.stringMatching(detail),
      ]);
    }
    for (const header of ["If-Match", "If-None-Match"]) {
      const answer = await caller.create({ domain: "a.example" }, { [header]: "*" });
      expect([...answer.refusal, answer.problem.detail]).toEqual([
        ...[400, "malformed_request"],
        `A POST takes no condition. Remove the ${header} header. To create something only once, send an Idempotency-Key header.`,
      ]);
    }
  },
};
