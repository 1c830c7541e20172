import { expect } from "vitest";
import { Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

const one = `${websites}/1`;

export const changing: Guarantees = {
  "an update changes the fields that it has, and the time of the change": async (service) => {
    const caller = new Caller(service);
    const { website } = await caller.create({ domain: "a.example", email: 1, exclude_params: ["q"] });
    caller.account.advanceClock(1_500);
    const answer = await caller.call("PUT", one, { json: { privacy: 1, exclude_params: [] } });
    expect(answer.status).toBe(200);
    const updated_at = new Date(caller.account.nowMs()).toISOString();
    expect(answer.website).toEqual({ ...website, privacy: 1, exclude_params: [], updated_at });
    expect((await caller.call("GET", one)).website).toEqual(answer.website);
  },
  "an update that changes nothing keeps the entity tag and the time": async (service) => {
    const caller = new Caller(service);
    const created = await caller.create({ domain: "a.example", email: 1 });
    caller.account.advanceClock(1_500);
    for (const json of [{}, { email: 1 }, { email: "1", exclude_ips: "" }]) {
      const answer = await caller.call("PUT", one, { json });
      expect([answer.status, answer.website]).toEqual([200, created.website]);
      expect(answer.header("ETag")).toBe(created.header("ETag"));
    }
  },
  "a domain cannot be changed, and a refusal names every invalid field": async (service) => {
    const caller = new Caller(service);
    await caller.createAll(["a.example"]);
    const answer = await caller.call("PUT", one, { json: { domain: "b.example", privacy: 2, email: [1], id: 1 } });
    expect(answer.fieldErrors).toEqual({
      domain: ["cannot be changed; create a website with the new domain and delete this one"],
      email: ["was sent more than once or as an array; send it once, as 0 (Disabled) or 1 (Enabled)"],
      id: ["is unknown; send only privacy, password, email, exclude_bots, exclude_params, exclude_ips"],
      password: ["is required if privacy is 2; send a string of 8 to 256 characters"],
    });
  },
  "a password can be set, kept and removed with the privacy": async (service) => {
    const caller = new Caller(service);
    await caller.createAll(["a.example"]);
    const put = async (json: unknown) => (await caller.call("PUT", one, { json })).website;
    expect(await put({ privacy: 2, password: "correct horse" })).toMatchObject({ privacy: 2, has_password: true });
    expect(await put({ privacy: 2, email: 1 })).toMatchObject({ privacy: 2, has_password: true });
    expect(await put({ privacy: 1 })).toMatchObject({ privacy: 1, has_password: false });
    const answer = await caller.call("PUT", one, { json: { password: "correct horse" } });
    expect(Object.keys(answer.fieldErrors ?? {})).toEqual(["password"]);
  },
  "a new password is a change, also if it is the same": async (service) => {
    const caller = new Caller(service);
    const created = await caller.create({ domain: "a.example", privacy: 2, password: "correct horse" });
    const answer = await caller.call("PUT", one, { json: { password: "correct horse" } });
    expect(answer.header("ETag")).not.toBe(created.header("ETag"));
  },
  "an update is checked before the website is looked up, if it is not about the password": async (service) => {
    const caller = new Caller(service);
    expect((await caller.call("PUT", one, { json: { email: 7 } })).refusal).toEqual([422, "validation_failed"]);
    expect((await caller.call("PUT", one, { json: { email: 7, privacy: 2 } })).refusal).toEqual([404, "not_found"]);
    expect((await caller.call("PUT", one, { json: { email: 1 } })).refusal).toEqual([404, "not_found"]);
  },
  "a delete answers without content, once": async (service) => {
    const caller = new Caller(service);
    await caller.createAll(["a.example"]);
    const answer = await caller.call("DELETE", one);
    expect([answer.status, answer.text, answer.header("Content-Type")]).toEqual([204, "", null]);
    for (const method of ["DELETE", "GET", "PUT"]) {
      const missing = await caller.call(method, one);
      expect([...missing.refusal, missing.problem.detail]).toEqual([404, "not_found", "No website has this ID."]);
    }
  },
  "an ID in any other form than its own does not exist": async (service) => {
    const caller = new Caller(service);
    await caller.createAll(["a.example"]);
    for (const id of ["0", "01", "+1", "1.0", "1e0", "-1", "%201", "abc", "9007199254740993", "%"]) {
      expect((await caller.call("GET", `${websites}/${id}`)).refusal).toEqual([404, "not_found"]);
    }
    expect((await caller.call("GET", `${websites}/%31`)).website.id).toBe(1);
  },
};
