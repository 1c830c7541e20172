import { expectTypeOf } from "vitest";
import type { UpdateWebsite, Website } from "./schemas/website.ts";
import type * as fields from "./website-fields.ts";

type ListField = (typeof fields.listFields)[number];
type FieldsOfType<Shape, Type> = { [Field in keyof Shape]: Shape[Field] extends Type ? Field : never }[keyof Shape];

// The facts about the fields of a website are those of the schemas.
expectTypeOf<(typeof fields.readOnlyFields)[number]>().toEqualTypeOf<Exclude<keyof Website, keyof UpdateWebsite>>();
expectTypeOf<ListField>().toEqualTypeOf<FieldsOfType<Website, readonly unknown[]>>();
expectTypeOf<ListField>().toEqualTypeOf<keyof typeof fields.entryGrammars>();
expectTypeOf<fields.Privacy>().toEqualTypeOf<Website["privacy"]>();
expectTypeOf<fields.EmailReports>().toEqualTypeOf<Website["email"]>();
expectTypeOf<fields.ExcludeBots>().toEqualTypeOf<Website["exclude_bots"]>();
expectTypeOf<keyof typeof fields.hasTypeOf>().toEqualTypeOf<keyof Website>();
