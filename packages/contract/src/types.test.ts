import { describe, expectTypeOf, test } from "vitest";
import type * as z from "zod";
import type { account } from "./schemas/account.ts";
import type { listWebsitesQuery, websitePage } from "./schemas/page.ts";
import type { problem } from "./schemas/problem.ts";
import type { createWebsiteBody, updateWebsiteBody, website } from "./schemas/website.ts";
import type {
  Account,
  CreateWebsite,
  CreateWebsiteBody,
  ListWebsites,
  Problem,
  UpdateWebsite,
  UpdateWebsiteBody,
  Website,
  WebsitePage,
} from "./types.ts";
import type { EmailReports, ExcludeBots, listFields, Privacy, readOnlyFields } from "./website-fields.ts";

type ReadOnlyField = (typeof readOnlyFields)[number];
type ListField = (typeof listFields)[number];

/** The same type, with these fields read-only. */
type WithReadOnly<Shape, Field extends keyof Shape> = Flat<Readonly<Pick<Shape, Field>> & Omit<Shape, Field>>;
/** The same type, in which these lists can also be null or a read-only array. */
type WithLists<Shape, Field extends keyof Shape> = {
  [Name in keyof Shape]: Name extends Field ? ReadOnlyArray<Shape[Name]> | null : Shape[Name];
};
type ReadOnlyArray<Value> = Value extends string[] ? readonly string[] : Value;
type Flat<Shape> = { [Field in keyof Shape]: Shape[Field] };
type FieldsOfType<Shape, Type> = { [Field in keyof Shape]: Shape[Field] extends Type ? Field : never }[keyof Shape];

// `check:types` checks these. Running them only shows that they exist.
describe("the generated types are what the schemas infer", () => {
  test("for what the service returns", () => {
    expectTypeOf<Website>().toEqualTypeOf<WithReadOnly<z.output<typeof website>, ReadOnlyField>>();
    type Page = z.output<typeof websitePage>;
    expectTypeOf<WebsitePage>().toEqualTypeOf<Flat<Omit<Page, "data"> & { data: Website[] }>>();
    expectTypeOf<Account>().toEqualTypeOf<z.output<typeof account>>();
    expectTypeOf<Problem>().toEqualTypeOf<z.output<typeof problem>>();
  });

  test("for what a caller sends", () => {
    expectTypeOf<CreateWebsiteBody>().toEqualTypeOf<z.input<typeof createWebsiteBody>>();
    expectTypeOf<ListWebsites>().toEqualTypeOf<z.input<typeof listWebsitesQuery>>();
  });

  test("for an update, without the domain, which it does not accept", () => {
    expectTypeOf<UpdateWebsiteBody>().toEqualTypeOf<Omit<z.input<typeof updateWebsiteBody>, "domain">>();
  });

  test("for the functions of the SDK, in which a list can be null or a read-only array", () => {
    expectTypeOf<CreateWebsite>().toEqualTypeOf<WithLists<CreateWebsiteBody, ListField>>();
    expectTypeOf<UpdateWebsite>().toEqualTypeOf<WithLists<UpdateWebsiteBody, ListField>>();
  });
});

describe("the facts about the fields of a website are those of the schemas", () => {
  test("its read-only fields are those that no update accepts", () => {
    expectTypeOf<ReadOnlyField>().toEqualTypeOf<Exclude<keyof Website, keyof UpdateWebsite>>();
  });

  test("its lists are the fields with several values", () => {
    expectTypeOf<ListField>().toEqualTypeOf<FieldsOfType<Website, readonly unknown[]>>();
  });

  test("the named values are all values", () => {
    expectTypeOf<Privacy>().toEqualTypeOf<Website["privacy"]>();
    expectTypeOf<EmailReports>().toEqualTypeOf<Website["email"]>();
    expectTypeOf<ExcludeBots>().toEqualTypeOf<Website["exclude_bots"]>();
  });
});
