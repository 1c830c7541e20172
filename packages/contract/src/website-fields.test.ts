import { describe, expectTypeOf, test } from "vitest";
import type { UpdateWebsite, Website } from "./schemas/website.ts";
import type {
  EmailReports,
  ExcludeBots,
  entryGrammars,
  hasTypeOf,
  listFields,
  Privacy,
  readOnlyFields,
} from "./website-fields.ts";

type ReadOnlyField = (typeof readOnlyFields)[number];
type ListField = (typeof listFields)[number];
type FieldsOfType<Shape, Type> = { [Field in keyof Shape]: Shape[Field] extends Type ? Field : never }[keyof Shape];

// `check:types` checks these. Running them only shows that they exist.
describe("the facts about the fields of a website are those of the schemas", () => {
  test("its read-only fields are those that no update accepts", () => {
    expectTypeOf<ReadOnlyField>().toEqualTypeOf<Exclude<keyof Website, keyof UpdateWebsite>>();
  });

  test("its lists are the fields with several values", () => {
    expectTypeOf<ListField>().toEqualTypeOf<FieldsOfType<Website, readonly unknown[]>>();
    expectTypeOf<ListField>().toEqualTypeOf<keyof typeof entryGrammars>();
  });

  test("each field has a check of its type", () => {
    expectTypeOf<keyof typeof hasTypeOf>().toEqualTypeOf<keyof Website>();
  });

  test("the named values are all values", () => {
    expectTypeOf<Privacy>().toEqualTypeOf<Website["privacy"]>();
    expectTypeOf<EmailReports>().toEqualTypeOf<Website["email"]>();
    expectTypeOf<ExcludeBots>().toEqualTypeOf<Website["exclude_bots"]>();
  });
});
