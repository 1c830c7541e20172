import type { ClientInferRequest, ClientInferResponses, ServerInferRequest, ServerInferResponses } from "@ts-rest/core";
import { describe, expect, expectTypeOf, test } from "vitest";
import { type Contract, contract } from "./contract.ts";
import type { WebsitePage } from "./schemas/page.ts";
import type { Problem } from "./schemas/problem.ts";
import type { Website } from "./schemas/website.ts";

type EndpointsOf<Resource extends keyof Contract> = {
  readonly [Name in keyof Contract[Resource] & string as `${Resource}.${Name}`]: Contract[Resource][Name];
};

type Endpoints = EndpointsOf<"websites"> & EndpointsOf<"account">;

/** What a caller or a handler gives. The rest, such as headers, belongs to the framework. */
type GivenIn<Endpoint> = Endpoint extends Endpoints[keyof Endpoints]
  ? [
      Pick<ClientInferRequest<Endpoint>, Extract<keyof ClientInferRequest<Endpoint>, "params" | "query" | "body">>,
      Pick<ServerInferRequest<Endpoint>, Extract<keyof ServerInferRequest<Endpoint>, "params" | "query" | "body">>,
      ClientInferResponses<Endpoint>["body"],
      ServerInferResponses<Endpoint>["body"],
    ]
  : never;

/** Whether a type contains `any`, at any depth. */
type HasAny<T> = 0 extends 1 & T
  ? true
  : T extends (...parameters: never[]) => unknown
    ? false
    : T extends object
      ? true extends { [Key in keyof T]-?: HasAny<T[Key]> }[keyof T]
        ? true
        : false
      : false;

type Body<Responses, Status> =
  Extract<Responses, { readonly status: Status }> extends { readonly body: infer B } ? B : never;

// `check:types` checks these. Running them only shows that they exist.
describe("the types of the contract for callers and handlers", () => {
  test("are checked for every resource", () => {
    expectTypeOf<"websites" | "account">().toEqualTypeOf<keyof Contract>();
  });

  test("are searched for `any` by a type that finds it", () => {
    type Parsed = ReturnType<typeof JSON.parse>;
    expectTypeOf<HasAny<Parsed>>().toEqualTypeOf<true>();
    expectTypeOf<HasAny<{ a: { b?: Parsed[] } }>>().toEqualTypeOf<true>();
    expectTypeOf<HasAny<{ a: { b?: string[] } | null }>>().toEqualTypeOf<false>();
  });

  test("contain no `any`", () => {
    expectTypeOf<{ readonly [Name in keyof Endpoints]: HasAny<GivenIn<Endpoints[Name]>> }>().toEqualTypeOf<{
      readonly [Name in keyof Endpoints]: false;
    }>();
  });

  test("are the shapes that clients name", () => {
    expectTypeOf<Body<ClientInferResponses<Endpoints["websites.list"]>, 200>>().toEqualTypeOf<WebsitePage>();
    expectTypeOf<Body<ClientInferResponses<Endpoints["websites.create"]>, 201>>().toEqualTypeOf<{
      data: Website;
    }>();
    expectTypeOf<Body<ServerInferResponses<Endpoints["websites.get"]>, 422 | 404>>().toEqualTypeOf<Problem>();
  });
});

test("the id in a path is a positive whole number, and nothing else", () => {
  const { pathParams } = contract.websites.get;
  expect(pathParams.parse({ id: "7" })).toEqual({ id: 7 });
  for (const id of ["0", "-1", "07", "1.0", "1e3", "x", "", " 7", "9".repeat(20)]) {
    expect(pathParams.safeParse({ id }).success).toBe(false);
  }
});
