import { type Fetch, Siteward } from "@siteward/sdk";
import { createFakeSiteward } from "@siteward/sdk/testing";
import { describe, expect, test } from "vitest";
import { apply, outcomesOf, planOf } from "../../test/support/apply-file.ts";
import { createOtherProgram } from "../../test/support/other-program.ts";

const changedA = "a.example was changed after the plan was computed.";

describe("a plan", () => {
  test("sends only the settings that change, in one request with the entity tag of what it showed", async () => {
    const websites = [{ domain: "a.example", email: 1, exclude_params: ["ref"] }, { domain: "b.example" }] as const;
    const fake = createFakeSiteward({ websites });
    const { response } = await new Siteward(fake.clientOptions).websites.get(1).withResponse();
    const plan = await planOf(fake, "version: 1\nwebsites: [{domain: a.example, exclude_params: [ref]}]", true);
    const before = fake.requests.length;
    await apply(fake, plan);
    const [put, remove, ...others] = fake.requests.slice(before);
    expect(put).toMatchObject({ method: "PUT", path: "/api/v1/websites/1", body: { email: 0 } });
    expect(put?.headers["if-match"]).toBe(response.etag);
    expect(remove).toMatchObject({ method: "DELETE", path: "/api/v1/websites/2" });
    expect(remove?.headers["if-match"]).toMatch(/^".+"$/);
    expect(others).toEqual([]);
  });

  test("deletes nothing if another change fails", async () => {
    const fake = createFakeSiteward({ websites: [{ domain: "old.example" }], websiteLimit: 1 });
    const results = await apply(fake, await planOf(fake, "version: 1\nwebsites: [a.example]", true));
    expect(outcomesOf(results)).toEqual({
      "a.example": expect.stringContaining("limit of 1"),
      "old.example": "not tried",
    });
    expect(fake.websites).toHaveLength(1);
  });
});

describe("a website that is no longer what the plan shows", () => {
  const text = "version: 1\nwebsites: [{domain: a.example, privacy: private}]";

  test("is not overwritten if its settings changed before the update is sent", async () => {
    const fake = createFakeSiteward({ websites: [{ domain: "a.example" }] });
    const plan = await planOf(fake, text);
    await createOtherProgram(fake).websites.update(1, { exclude_params: ["ref"] });
    expect(outcomesOf(await apply(fake, plan))).toEqual({ "a.example": changedA });
    expect(fake.websites).toMatchObject([{ privacy: 0, exclude_params: ["ref"] }]);
  });

  test("is not changed again if somebody made the same change", async () => {
    const fake = createFakeSiteward({ websites: [{ domain: "a.example" }] });
    const plan = await planOf(fake, text);
    const changed = await createOtherProgram(fake).websites.update(1, { privacy: 1 });
    expect(outcomesOf(await apply(fake, plan))).toEqual({ "a.example": "updated" });
    expect(fake.websites).toEqual([changed]);
  });

  test("is never unchanged if a password was to be set, which nobody can read", async () => {
    const fake = createFakeSiteward({ websites: [{ domain: "a.example" }] });
    const plan = await planOf(fake, "version: 1\nwebsites: [{domain: a.example, privacy: password, password_env: A}]");
    await createOtherProgram(fake).websites.update(1, { privacy: 2, password: "somebody else's" });
    expect(outcomesOf(await apply(fake, plan))).toEqual({
      "a.example": expect.stringContaining("It now has the settings of the file, but perhaps not the password."),
    });
  });

  test("is noticed after the update if a proxy removes the condition", async () => {
    const fake = createFakeSiteward({ websites: [{ domain: "a.example" }, { domain: "b.example" }] });
    const plan = await planOf(
      fake,
      "version: 1\nwebsites: [{domain: b.example, email: on}, {domain: a.example, privacy: private}]",
    );
    await createOtherProgram(fake).websites.update(1, { exclude_params: ["ref"] });
    const withoutCondition: Fetch = (url, { headers: { "if-match": _removed, ...headers }, ...init }) =>
      fake.fetch(url, { ...init, headers });
    expect(outcomesOf(await apply(fake, plan, { fetch: withoutCondition }))).toEqual({
      "a.example": expect.stringMatching(/^a\.example was changed after the plan .* and updated nevertheless/),
      "b.example": "updated",
    });
  });

  test("is not deleted if it changed, and counts as unchanged if it is gone", async () => {
    const fake = createFakeSiteward({ websites: [{ domain: "a.example" }, { domain: "b.example" }] });
    const plan = await planOf(fake, "version: 1\nwebsites: []", true);
    await createOtherProgram(fake).websites.delete(1);
    await createOtherProgram(fake).websites.update(2, { email: 1 });
    const changedB = changedA.replace("a.example", "b.example");
    expect(outcomesOf(await apply(fake, plan))).toEqual({ "a.example": "unchanged", "b.example": changedB });
    expect(fake.websites).toMatchObject([{ domain: "b.example", email: 1 }]);
  });

  test("is a conflict if it was created or deleted meanwhile", async () => {
    const fake = createFakeSiteward({ websites: [{ domain: "a.example" }] });
    const update = await planOf(fake, text);
    const create = await planOf(fake, "version: 1\nwebsites: [b.example]");
    await createOtherProgram(fake).websites.delete(1);
    await createOtherProgram(fake).websites.create({ domain: "b.example", email: 1 });
    expect(outcomesOf(await apply(fake, update))).toEqual({
      "a.example": "a.example was deleted after the plan was computed.",
    });
    expect(outcomesOf(await apply(fake, create))).toEqual({
      "b.example": "b.example was created after the plan was computed.",
    });
    expect(fake.websites).toMatchObject([{ domain: "b.example", email: 1 }]);
  });
});

test("an update whose response is lost is no conflict when it is sent again", async () => {
  const fake = createFakeSiteward({ websites: [{ domain: "a.example" }] });
  fake.failNext({ networkError: true, when: "after", method: "PUT" });
  const plan = await planOf(fake, "version: 1\nwebsites: [{domain: a.example, email: on}]");
  expect(outcomesOf(await apply(fake, plan, { maxRetries: 1 }))).toEqual({ "a.example": "updated" });
  expect(fake.websites).toMatchObject([{ email: 1 }]);
});

test("after an interruption, a change that may have been done is not called untried, and one read tries to find out", async () => {
  const fake = createFakeSiteward({ websites: [{ domain: "a.example" }] });
  const create = await planOf(fake, "version: 1\nwebsites: [b.example]");
  const update = await planOf(fake, "version: 1\nwebsites: [{domain: a.example, email: on}]");
  await createOtherProgram(fake).websites.update(1, { privacy: 1 });
  fake.failNext({ networkError: true, when: "after", method: "POST" });
  const before = fake.requests.length;
  for (const [plan, end] of [
    [create, expect.stringContaining("connection")],
    [update, "nothing tells whether it was changed"],
  ] as const) {
    const controller = new AbortController();
    const fetch: Fetch = (...request) => fake.fetch(...request).finally(() => controller.abort());
    const results = await apply(fake, plan, { maxRetries: 2, signal: controller.signal, fetch });
    expect(Object.values(outcomesOf(results))).toEqual([end]);
  }
  expect(fake.requests.slice(before).map(({ method }) => method)).toEqual(["POST", "PUT", "GET"]);
});
