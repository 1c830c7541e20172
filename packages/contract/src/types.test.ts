import { describe, expectTypeOf, test } from "vitest";
import type * as z from "zod";
import type { account } from "./schemas/account.ts";
import type { listWebsitesQuery, websitePage } from "./schemas/page.ts";
import type { problem } from "./schemas/problem.ts";
import type { createWebsiteBody, updateWebsiteBody, website } from "./schemas/website.ts";
import type {
  Account,
  CreateWebsite,
  ListWebsitesQuery,
  Problem,
  UpdateWebsite,
  Website,
  WebsitePage,
} from "./types.ts";

// `check:types` judges these: running them only shows that they are there.
describe("the generated types are what the schemas infer", () => {
  test("for what the service answers", () => {
    expectTypeOf<Website>().toEqualTypeOf<z.output<typeof website>>();
    expectTypeOf<WebsitePage>().toEqualTypeOf<z.output<typeof websitePage>>();
    expectTypeOf<Account>().toEqualTypeOf<z.output<typeof account>>();
    expectTypeOf<Problem>().toEqualTypeOf<z.output<typeof problem>>();
  });

  test("for what a caller sends", () => {
    expectTypeOf<CreateWebsite>().toEqualTypeOf<z.input<typeof createWebsiteBody>>();
    expectTypeOf<ListWebsitesQuery>().toEqualTypeOf<z.input<typeof listWebsitesQuery>>();
  });

  test("for a change, where the refused domain is left out", () => {
    expectTypeOf<UpdateWebsite>().toEqualTypeOf<Omit<z.input<typeof updateWebsiteBody>, "domain">>();
  });
});
