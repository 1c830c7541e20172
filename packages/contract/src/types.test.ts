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

// `check:types` checks these. Running them only shows that they exist.
describe("the generated types are what the schemas infer", () => {
  test("for what the service returns", () => {
    expectTypeOf<Website>().toEqualTypeOf<z.output<typeof website>>();
    expectTypeOf<WebsitePage>().toEqualTypeOf<z.output<typeof websitePage>>();
    expectTypeOf<Account>().toEqualTypeOf<z.output<typeof account>>();
    expectTypeOf<Problem>().toEqualTypeOf<z.output<typeof problem>>();
  });

  test("for what a caller sends", () => {
    expectTypeOf<CreateWebsite>().toEqualTypeOf<z.input<typeof createWebsiteBody>>();
    expectTypeOf<ListWebsitesQuery>().toEqualTypeOf<z.input<typeof listWebsitesQuery>>();
  });

  test("for an update, without the domain, which it does not accept", () => {
    expectTypeOf<UpdateWebsite>().toEqualTypeOf<Omit<z.input<typeof updateWebsiteBody>, "domain">>();
  });
});
