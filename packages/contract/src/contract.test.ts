import type { ClientInferRequest, ClientInferResponses, ServerInferRequest, ServerInferResponses } from "@ts-rest/core";
import { describe, expect, expectTypeOf, test } from "vitest";
import { type Contract, contract } from "./contract.ts";
import { type ErrorStatus, errorCodes } from "./error-codes.ts";
import type { ContractRoute } from "./openapi/operation.ts";
import { type Route, routes } from "./routes.ts";
import type { Problem, Website, WebsitePage } from "./types.ts";

type EndpointsOf<Resource extends keyof Contract> = {
  readonly [Name in keyof Contract[Resource] & string as `${Resource}.${Name}`]: Contract[Resource][Name];
};

type Endpoints = EndpointsOf<"websites"> & EndpointsOf<"account">;

/** What a caller sends and a handler receives. The rest, such as headers, belongs to the framework. */
type Given<Request> = Pick<Request, Extract<keyof Request, "params" | "query" | "body">>;

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

/** The status of a GET whose answer the client already has. */
type NotModified<Name extends keyof Endpoints> = Endpoints[Name]["method"] extends "GET" ? 304 : never;

/** The statuses of the errors that the route of each operation lists. */
type DeclaredErrors = {
  readonly [Name in keyof Endpoints]: ErrorStatus<Endpoints[Name]["metadata"]["route"]["errors"][number]>;
};

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

  test("contain no `any` in requests", () => {
    expectTypeOf<{
      readonly [Name in keyof Endpoints]: HasAny<Given<ClientInferRequest<Endpoints[Name]>>>;
    }>().toEqualTypeOf<{
      readonly [Name in keyof Endpoints]: false;
    }>();
    expectTypeOf<{
      readonly [Name in keyof Endpoints]: HasAny<Given<ServerInferRequest<Endpoints[Name]>>>;
    }>().toEqualTypeOf<{
      readonly [Name in keyof Endpoints]: false;
    }>();
  });

  test("contain no `any` in responses", () => {
    expectTypeOf<{
      readonly [Name in keyof Endpoints]: HasAny<ClientInferResponses<Endpoints[Name]>["body"]>;
    }>().toEqualTypeOf<{ readonly [Name in keyof Endpoints]: false }>();
    expectTypeOf<{
      readonly [Name in keyof Endpoints]: HasAny<ServerInferResponses<Endpoints[Name]>["body"]>;
    }>().toEqualTypeOf<{ readonly [Name in keyof Endpoints]: false }>();
  });

  test("are the shapes that clients name", () => {
    expectTypeOf<Body<ClientInferResponses<Endpoints["websites.list"]>, 200>>().toEqualTypeOf<WrittenPage>();
    expectTypeOf<Body<ClientInferResponses<Endpoints["websites.create"]>, 201>>().toEqualTypeOf<{
      data: Written<Website>;
    }>();
    expectTypeOf<Body<ServerInferResponses<Endpoints["websites.get"]>, 422 | 404>>().toEqualTypeOf<Problem>();
  });

  test("declare the success and every error of every operation, a 304 of a GET, and no other status", () => {
    expectTypeOf<{
      readonly [Name in keyof Endpoints]: ServerInferResponses<Endpoints[Name]>["status"];
    }>().toEqualTypeOf<{
      readonly [Name in keyof Endpoints]: (typeof successes)[Name] | NotModified<Name> | DeclaredErrors[Name];
    }>();
  });
});

/** The read-only fields of a record are read-only for clients. The server writes them. */
type Written<Shape> = { -readonly [Field in keyof Shape]: Shape[Field] };
type WrittenPage = Written<Omit<WebsitePage, "data"> & { data: Written<Website>[] }>;

const resources: Readonly<Record<string, Readonly<Record<string, ContractRoute & { strictStatusCodes?: boolean }>>>> =
  contract;
/** The status of each operation's success. Clients rely on it, so it is written here once more. */
const successes = {
  "websites.list": 200,
  "websites.get": 200,
  "websites.create": 201,
  "websites.update": 200,
  "websites.delete": 204,
  "account.get": 200,
} as const satisfies Record<keyof Endpoints, number>;

const operations = Object.entries<Readonly<Record<string, Route>>>(routes).flatMap(([resource, named]) =>
  Object.entries(named).map(([name, route]) => ({
    name: `${resource}.${name}`,
    route,
    endpoint: resources[resource]?.[name],
    success: Object.entries<number>(successes).find(([operation]) => operation === `${resource}.${name}`)?.[1],
  })),
);

describe.each(operations)("$name", ({ route, endpoint, success }) => {
  test("has the method and path of its route, and carries the route for the server to enforce", () => {
    expect(endpoint).toMatchObject({ method: route.method, path: route.path });
    expect(endpoint?.metadata.route).toBe(route);
  });

  test("declares its success, the status of each of its errors and, if it is a GET, a 304, and no other", () => {
    const statuses = Object.keys(endpoint?.responses ?? {}).map(Number);
    expect(statuses.filter((status) => status < 400)).toEqual(route.method === "GET" ? [success, 304] : [success]);
    expect(statuses.filter((status) => status >= 400)).toEqual(
      [...new Set(route.errors.map((code): number => errorCodes[code].status))].sort((one, other) => one - other),
    );
    expect(endpoint?.strictStatusCodes).toBe(true);
  });
});

test("the id in a path is a positive whole number, and nothing else", () => {
  const { pathParams } = contract.websites.get;
  expect(pathParams.parse({ id: "7" })).toEqual({ id: 7 });
  for (const id of ["0", "-1", "07", "1.0", "1e3", "x", "", " 7", "9".repeat(20)]) {
    expect(pathParams.safeParse({ id }).success).toBe(false);
  }
});
