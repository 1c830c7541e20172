import type { Fetch, Siteward } from "@siteward/sdk";
import { createFakeSiteward } from "@siteward/sdk/testing";
import { describe, expect, test } from "vitest";
import { apply, outcomesOf, planOf } from "../../test/support/apply-file.ts";
import { createOtherProgram } from "../../test/support/other-program.ts";

test("a plan deletes nothing if another change fails", async () => {
  const fake = createFakeSiteward({ websites: [{ domain: "old.example" }], websiteLimit: 1 });
  const results = await apply(fake, await planOf(fake, "version: 1\nwebsites: [a.example]", true));
  expect(outcomesOf(results)).toEqual({
    "a.example": expect.stringContaining("limit of 1"),
    "old.example": "not_tried",
  });
  expect(fake.websites).toHaveLength(1);
});

type Websites = Siteward["websites"];
const wanted = "{domain: a.example, privacy: private}";
const changed = "a.example was changed after the plan was computed.";

describe("a website that is no longer what the plan shows", () => {
  test.for([
    ["is not overwritten", wanted, (all: Websites) => all.update(1, { exclude_params: ["ref"] }), changed],
    ["is not deleted", "", (all: Websites) => all.update(1, { email: 1 }), changed],
    ["counts as deleted if it is gone", "", (all: Websites) => all.delete(1), "unchanged"],
    [
      "counts as updated if somebody made the same change",
      wanted,
      (all: Websites) => all.update(1, { privacy: 1 }),
      "updated",
    ],
    [
      "is refused if somebody made the same change and another one",
      wanted,
      (all: Websites) => all.update(1, { privacy: 1, email: 1 }),
      changed,
    ],
    [
      "is refused if it was created meanwhile",
      "a.example, {domain: b.example, privacy: private}",
      (all: Websites) => all.create({ domain: "b.example" }),
      "b.example was created after the plan was computed.",
    ],
    [
      "is refused if it was deleted meanwhile",
      wanted,
      (all: Websites) => all.delete(1),
      "a.example was deleted after the plan was computed.",
    ],
    [
      "is refused if somebody else has set a password, which nobody can read",
      "{domain: a.example, privacy: password, password_env: A}",
      (all: Websites) => all.update(1, { privacy: 2, password: "somebody else's" }),
      expect.stringContaining("It now has the settings of the file, but perhaps not the password."),
    ],
  ] as const)("%s", async ([, websites, change, outcome]) => {
    const fake = createFakeSiteward({ websites: [{ domain: "a.example" }] });
    const plan = await planOf(fake, `version: 1\nwebsites: [${websites}]`, true);
    await change(createOtherProgram(fake).websites);
    const left = structuredClone(fake.websites);
    expect(Object.values(outcomesOf(await apply(fake, plan)))).toEqual([outcome]);
    expect(fake.websites).toEqual(left);
  });

  test("is noticed after the update if a proxy removes the condition", async () => {
    const fake = createFakeSiteward({ websites: [{ domain: "a.example" }] });
    const plan = await planOf(fake, `version: 1\nwebsites: [${wanted}]`);
    await createOtherProgram(fake).websites.update(1, { exclude_params: ["ref"] });
    const withoutCondition: Fetch = (url, { headers: { "if-match": _removed, ...headers }, ...init }) =>
      fake.fetch(url, { ...init, headers });
    expect(outcomesOf(await apply(fake, plan, withoutCondition))).toEqual({
      "a.example": expect.stringMatching(/^a\.example was changed after the plan .* and updated nevertheless/),
    });
  });
});
