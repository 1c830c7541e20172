import { expect } from "vitest";
import { one, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

const locked = { domain: "a.example", privacy: 2, password: "correct horse" };
const missing = "is required if privacy is 2; send a string of 8 to 256 characters";
const notAllowed = (privacy: number) =>
  `is not allowed if privacy is ${privacy}, because it would protect nothing; send privacy 2 too, or omit the password`;

export const passwords: Guarantees = {
  "privacy 2 accepts a password, which no answer contains": async (caller) => {
    const created = await caller.create(locked);
    expect(created.website).toMatchObject({ privacy: 2, has_password: true });
    const list = await caller.get(websites);
    expect(list.page.data[0]?.has_password).toBe(true);
    const updated = await caller.put(one, { password: "another horse" });
    for (const answer of [created, list, updated, await caller.get(one)]) {
      expect(answer.text).not.toMatch(/correct|another|horse|argon/);
    }
  },
  "a password of 8 to 256 characters is accepted, even if each is four bytes long": async (caller) => {
    for (const length of [8, 256]) {
      const fields = { domain: `a-${length}.example`, privacy: 2, password: ` ${"🔑".repeat(length - 1)}` };
      expect((await caller.create(fields)).website.has_password).toBe(true);
    }
  },
  "a password needs privacy 2, and privacy 2 a password, and an empty password counts as not sent": async (caller) => {
    for (const [fields, message] of [
      [{ privacy: 2 }, missing],
      [{ privacy: 2, password: "" }, missing],
      [{ password: "correct horse" }, notAllowed(0)],
      [{ privacy: 1, password: "correct horse" }, notAllowed(1)],
      [{ privacy: 2, password: "1234567" }, "is 7 characters long; send 8 to 256 characters"],
      [{ privacy: 2, password: "🔑".repeat(257) }, "is 257 characters long; send 8 to 256 characters"],
      [{ privacy: 2, password: "correct horse \ud83d" }, "contains an unpaired surrogate; send valid Unicode"],
    ] as const) {
      const answer = await caller.create({ domain: "a.example", ...fields });
      expect(answer.fieldErrors).toEqual({ password: [message] });
    }
    expect((await caller.create({ domain: "a.example", password: "" })).website.has_password).toBe(false);
  },
  "a refused password is not repeated in the answer": async (caller) => {
    await caller.createAll(["a.example"]);
    for (const fields of [
      { privacy: 2, password: ["hunter2-hunter2"] },
      { privacy: 1, password: "hunter2-hunter2" },
      { privacy: 2, password: "hunter2" },
    ]) {
      for (const answer of [await caller.create(fields), await caller.put(one, fields)]) {
        expect([answer.refusedNames.includes("password"), answer.text.includes("hunter2")]).toEqual([true, false]);
      }
    }
  },
  "a password can be set, kept and changed while the privacy is 2, and is deleted with it": async (caller) => {
    await caller.createAll(["a.example"]);
    expect((await caller.put(one, { privacy: 2 })).fieldErrors).toEqual({ password: [missing] });
    const set = await caller.put(one, { privacy: 2, password: "correct horse" });
    expect(set.website).toMatchObject({ privacy: 2, has_password: true });
    for (const fields of [{ privacy: 2 }, { password: "" }, { privacy: 2, password: "" }]) {
      const kept = await caller.put(one, fields);
      expect([kept.text, kept.etag]).toEqual([set.text, set.etag]);
    }
    expect((await caller.put(one, { email: 1 })).website).toMatchObject({ privacy: 2, has_password: true });
    const changed = await caller.put(one, { password: "another horse" });
    expect([changed.website.has_password, changed.etag === set.etag]).toEqual([true, false]);
    for (const privacy of [0, 1]) {
      expect((await caller.put(one, { privacy })).website).toMatchObject({ privacy, has_password: false });
      expect((await caller.put(one, { privacy: 2 })).fieldErrors).toEqual({ password: [missing] });
      await caller.put(one, { privacy: 2, password: "correct horse" });
    }
  },
  "a new password is a change, also if it is the same": async (caller) => {
    const created = await caller.create(locked);
    expect((await caller.put(one, { password: "correct horse" })).etag).not.toBe(created.etag);
  },
  "a password that does not fit the resulting privacy is named once all other fields are valid, and nothing changes":
    async (caller) => {
      await caller.create({ domain: "a.example", privacy: 1 });
      const before = await caller.get(one);
      for (const [fields, message] of [
        [{ password: "correct horse" }, notAllowed(1)],
        [{ privacy: 2 }, missing],
        [{ privacy: 0, password: "correct horse" }, notAllowed(0)],
        [{ privacy: 1, password: "correct horse" }, notAllowed(1)],
      ] as const) {
        expect((await caller.put(one, { ...fields, email: 9, unknown: 1 })).refusedNames).toEqual(["email", "unknown"]);
        expect((await caller.put(one, { ...fields, email: 1 })).fieldErrors).toEqual({ password: [message] });
      }
      expect((await caller.get(one)).text).toBe(before.text);
      await caller.put(one, { privacy: 2, password: "correct horse" });
      expect((await caller.put(one, { password: "another horse", email: 9 })).refusedNames).toEqual(["email"]);
      expect((await caller.put(one, { privacy: 0, password: "another horse" })).refusedNames).toEqual(["password"]);
      expect((await caller.get(one)).website).toMatchObject({ privacy: 2, has_password: true });
    },
  "a password with If-Match is not stored if the record changes while it is hashed": async (caller) => {
    const headers = { "If-Match": (await caller.create({ domain: "example.com" })).etag };
    const answers = await Promise.all([
      caller.put(one, { privacy: 2, password: "correct horse" }, headers),
      caller.put(one, { email: 1 }, headers),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    const done = answers.find(({ status }) => status === 200);
    expect((await caller.get(one)).text).toBe(done?.text);
  },
};
