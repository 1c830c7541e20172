import type * as contract from "@siteward/contract";
import type { contract as router } from "@siteward/contract";
import type * as fields from "@siteward/contract/plain";
import { expectTypeOf } from "vitest";
import type * as sdk from "./index.ts";

// The types of the package are what the schemas of the contract infer, with read-only fields, and lists that can be null.
type ReadOnlyField = (typeof fields.readOnlyFields)[number];
expectTypeOf<sdk.Website>().toEqualTypeOf<
  Flat<Readonly<Pick<contract.Website, ReadOnlyField>> & Omit<contract.Website, ReadOnlyField>>
>();
expectTypeOf<sdk.CreateWebsite>().toEqualTypeOf<WithLists<contract.CreateWebsite>>();
expectTypeOf<sdk.UpdateWebsite>().toEqualTypeOf<WithLists<contract.UpdateWebsite>>();
expectTypeOf<sdk.ListWebsites>().toEqualTypeOf<contract.ListWebsites>();
expectTypeOf<sdk.WebsitePage>().toEqualTypeOf<Flat<Omit<contract.WebsitePage, "data"> & { data: sdk.Website[] }>>();
expectTypeOf<sdk.WebsitePageLinks>().toEqualTypeOf<contract.WebsitePage["links"]>();
expectTypeOf<sdk.WebsitePageMeta>().toEqualTypeOf<contract.WebsitePage["meta"]>();
expectTypeOf<sdk.Account>().toEqualTypeOf<contract.Account>();
expectTypeOf<sdk.AccountWebsites>().toEqualTypeOf<contract.Account["websites"]>();
expectTypeOf<sdk.AccountApiKey>().toEqualTypeOf<contract.Account["api_key"]>();
expectTypeOf<sdk.Problem>().toEqualTypeOf<contract.Problem>();
expectTypeOf<sdk.Scope>().toEqualTypeOf<contract.Scope>();
expectTypeOf<sdk.Scope>().toEqualTypeOf<sdk.AccountApiKey["scopes"][number]>();
expectTypeOf<sdk.ErrorCode>().toEqualTypeOf<contract.ErrorCode>();
expectTypeOf<sdk.Privacy>().toEqualTypeOf<fields.Privacy>();
expectTypeOf<sdk.EmailReports>().toEqualTypeOf<fields.EmailReports>();
expectTypeOf<sdk.ExcludeBots>().toEqualTypeOf<fields.ExcludeBots>();
expectTypeOf<NamedValues<typeof sdk>>().toEqualTypeOf<NamedValues<typeof fields>>();

// An editor completes the codes of errors, although a newer service may have others.
expectTypeOf<"domain_taken">().toExtend<sdk.ApiErrorCode>();
expectTypeOf<contract.ErrorCode>().toExtend<sdk.ApiErrorCode>();

type Flat<Shape> = { [Field in keyof Shape]: Shape[Field] };
type WithLists<Shape> = {
  [Field in keyof Shape]: Field extends (typeof fields.listFields)[number]
    ? (Shape[Field] extends infer Value ? (Value extends string[] ? readonly string[] : Value) : never) | null
    : Shape[Field];
};

/** The exports of a module that name the values of a field. Their names begin with a capital letter, unlike those of limits. */
type NamedValues<Module> = {
  [Name in keyof Module & Capitalize<string>]: Module[Name] extends Readonly<Record<string, number>> ? Name : never;
}[keyof Module & Capitalize<string>];

type Router = typeof router;

/** What each operation accepts. An operation of the contract that is missing here does not compile. */
interface Calls {
  readonly websites: {
    list(query?: contract.ListWebsites, options?: sdk.CallOptions): void;
    get(id: number, options?: sdk.CallOptions): void;
    create(input: sdk.CreateWebsite, options?: sdk.CreateOptions): void;
    update(id: number, input: sdk.UpdateWebsite & sdk.SameWebsite<string>, options?: sdk.ChangeOptions): void;
    delete(id: number, options?: sdk.ChangeOptions): void;
  };
  readonly account: { get(options?: sdk.CallOptions): void };
}
expectTypeOf<OtherArguments<sdk.Siteward, Calls>>().toBeNever();

// What each operation resolves with is what the contract declares for its success.
expectTypeOf<{
  [Resource in keyof Router]: { [Name in keyof Router[Resource]]: AnswerOf<Router[Resource][Name]> };
}>().toEqualTypeOf<{
  [Resource in keyof Router]: {
    [Name in keyof Router[Resource]]: Picked<
      Awaited<ReturnType<MethodOf<sdk.Siteward, Resource, Name>>>,
      AnswerOf<Router[Resource][Name]>
    >;
  };
}>();

/** The operations of the contract whose parameters differ between two clients. */
type OtherArguments<Left, Right> = {
  [Resource in keyof Router]: {
    [Name in keyof Router[Resource]]: Same<
      Parameters<MethodOf<Left, Resource, Name>>,
      Parameters<MethodOf<Right, Resource, Name>>
    > extends true
      ? never
      : Name;
  }[keyof Router[Resource]];
}[keyof Router];

/** The method of a client for an operation. One that is missing takes and returns never, which no operation does. */
type MethodOf<Client, Resource, Name> = Resource extends keyof Client
  ? Name extends keyof Client[Resource]
    ? Extract<Client[Resource][Name], (...values: never[]) => unknown>
    : never
  : never;

/** The record, the page or nothing in the response of an operation that succeeded. */
type AnswerOf<Operation> = Operation extends { readonly responses: infer Responses }
  ? RecordOf<OutputOf<Responses[keyof Responses & (200 | 201 | 204)]>>
  : never;
type OutputOf<Schema> = Schema extends { readonly _zod: { readonly output: infer Output } } ? Output : undefined;
type RecordOf<Output> = Output extends undefined
  ? undefined
  : keyof Output extends "data"
    ? Output["data" & keyof Output]
    : Output;

/** A result without the methods of a page, and with fields that can be assigned, as the schemas have them. */
type Picked<Result, Answer> = Result extends void ? undefined : Writable<Pick<Result, keyof Result & keyof Answer>>;
type Writable<Shape> = Shape extends object ? { -readonly [Name in keyof Shape]: Writable<Shape[Name]> } : Shape;

/** Whether two types are identical. `toEqualTypeOf` does not accept the intersection that an update takes. */
type Same<Left, Right> =
  (<Value>() => Value extends Left ? 1 : 2) extends <Value>() => Value extends Right ? 1 : 2 ? true : false;
