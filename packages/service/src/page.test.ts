import { expect, it } from "vitest";
import { changesTag } from "./page.ts";
import type { WebsiteChanges } from "./storage.ts";

it("The tag of a page of changes differs if its newest change has the number of another one, as after a restore", () => {
  const since = { number: 3, at: 30 };
  const tags = [50, 51].map((at) => changesTag(1, since, { ...page, newest: { number: 5, at } }));
  expect(new Set(tags).size).toBe(2);
});

const page: Omit<WebsiteChanges, "newest"> = {
  websites: [],
  deletedIds: [7],
  end: { number: 4, at: 40 },
  total: 9,
};
