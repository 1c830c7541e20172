import { Siteward } from "@siteward/sdk";
import { createFakeSiteward } from "@siteward/sdk/testing";
import { openFakeService } from "@siteward/testing/services/fake-service";
import { expect, test } from "vitest";
import { subjects } from "./guarantees/subjects.ts";
import { tryGuarantees } from "./guarantees/try-guarantees.ts";

// They hold for the fake too, so that it can replace the server in a test.
tryGuarantees(async () => openFakeService(), subjects);

// The tests of the plans of each engine compare its lists and searches with those of memory.
test("more than 10,000 matches are counted as at least that many, without a last page, and an entire list exactly", async () => {
  const websites = Array.from({ length: 10_001 }, (_, index) => ({ domain: `site-${index}.example` }));
  const { websites: stored } = new Siteward(createFakeSiteward({ websites }).clientOptions);
  const found = await stored.list({ search: "site" });
  expect(found.meta).toMatchObject({ total: 10_000, total_relation: "gte", current_page: 1, last_page: null });
  expect(found.links.next).not.toBeNull();
  const all = { total: 10_001, total_relation: "eq", current_page: 1, last_page: 1001 };
  expect((await stored.list()).meta).toMatchObject(all);
});
