import { describe, expect, test } from "vitest";
import * as z from "zod";
import { contract } from "../contract.ts";
import { createWebsiteBody, updateWebsiteBody } from "../schemas/website.ts";
import { openApiDocument } from "./document.ts";
import type { ContractRoute } from "./operation.ts";

const text = JSON.stringify(openApiDocument);
const whole = JSON.parse(text);
/** The document as programs read it, with what each reference refers to. */
const { components, paths, security }: ReadDocument = JSON.parse(text, (_name, value) =>
  typeof value?.$ref === "string" ? follow(value.$ref) : value,
);
const resources: Readonly<Record<string, Readonly<Record<string, ContractRoute>>>> = contract;
const contractRoutes = Object.entries(resources).flatMap(([resource, named]) =>
  Object.entries(named).map(([name, contractRoute]) => ({ name: `${resource}.${name}`, contractRoute })),
);

interface ReadDocument {
  readonly security: unknown;
  readonly paths: Record<string, Record<string, ReadOperation>>;
  readonly components: {
    readonly securitySchemes: Record<string, unknown>;
    readonly schemas: Record<string, { readonly properties: Record<string, { readonly default?: unknown }> }>;
  };
}

interface ReadOperation {
  readonly "x-scope": string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly description: string;
    readonly content: Record<string, { readonly example: unknown }>;
  };
  readonly responses: Record<string, Response>;
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly description: string;
  readonly schema: { readonly default?: unknown };
}

interface Response {
  readonly headers: Record<string, unknown>;
  readonly content?: Record<string, { readonly example?: unknown }>;
}

test("the OpenAPI document requires an API key as a bearer token for every operation", () => {
  expect(security).toEqual([{ apiKey: [] }]);
  expect(components.securitySchemes["apiKey"]).toMatchObject({ type: "http", scheme: "bearer" });
});

describe.each(contractRoutes)("$name", ({ contractRoute }) => {
  const { metadata, query, pathParams, body, responses } = contractRoute;
  const { route } = metadata;

  test("has its scope and every status of the contract, each with its headers", () => {
    expect(Object.keys(described().responses)).toEqual(Object.keys(responses));
    for (const [status, { headers }] of Object.entries(described().responses)) {
      expect(headers).toHaveProperty("X-Request-Id");
      expect("RateLimit" in headers && "RateLimit-Policy" in headers).toBe(status !== "401");
      if (["429", "503"].includes(status)) expect(headers).toHaveProperty("Retry-After");
    }
    expect(described()["x-scope"]).toBe(route.scope);
  });

  test("has every query and path parameter with its description, default and whether it is required", () => {
    const { parameters } = described();
    const found = parameters
      .filter((parameter) => parameter.in !== "header")
      .map((parameter) => [parameter.in, parameter.name, parameter.required ?? false, parameter.schema.default]);
    // That of a change only refuses fields.
    const read = route.method === "GET" ? expectParameters("query", query) : [];
    expect(found).toEqual([...expectParameters("path", pathParams), ...read]);
    for (const { description } of parameters) expect(description).toMatch(/\.$/);
  });

  test("takes an idempotency key if it is a POST, and conditions if it is not", () => {
    const found = described().parameters.flatMap((parameter) => (parameter.in === "header" ? [parameter.name] : []));
    expect(found).toEqual(route.method === "POST" ? ["Idempotency-Key"] : ["If-Match", "If-None-Match"]);
  });

  test("has both media types of its body, with examples that the schema accepts", () => {
    if (!(body instanceof z.ZodType)) {
      expect(described().requestBody).toBeUndefined();
      return;
    }
    const { content = {}, description } = described().requestBody ?? {};
    expect(Object.keys(content)).toEqual(["application/x-www-form-urlencoded", "application/json"]);
    const [form, json] = Object.values(content).map((media) => body.parse(media.example));
    expect(form).toEqual(json);
    expect(description).toContain("exclude_ips[]");
  });

  test("has an example of its response that the contract accepts", () => {
    const status = Object.keys(responses).find((text) => Number(text) < 300) ?? "";
    const schema = responses[Number(status)];
    const media = described().responses[status]?.content?.["application/json"];
    if (schema instanceof z.ZodType) expect(schema.parse(media?.example)).toEqual(media?.example);
    else expect(media).toBeUndefined();
  });

  function described() {
    const path = route.path.replace(":id", "{id}");
    const operation = paths[path]?.[route.method.toLowerCase()];
    if (operation === undefined) throw new Error(`${route.method} ${path} is not described.`);
    return operation;
  }
});

/** Returns what a reference such as `#/components/headers/ETag` refers to. */
function follow(reference: string): unknown {
  const names = reference.split("/").slice(1);
  return names.reduce((found, name) => found[name], whole);
}

/** Returns place, name, whether it is required, and default of each field, as the schema itself behaves. */
function expectParameters(place: string, schema: z.ZodType | undefined): unknown[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).map(([name, field]) => {
    if (!(field instanceof z.ZodType)) throw new Error(`${name} is no schema.`);
    const absent = field.safeParse(undefined);
    return [place, name, !absent.success, absent.data ?? field.meta()?.["default"]];
  });
}

describe.each([
  ["CreateWebsite", createWebsiteBody, { privacy: 0, email: 0, exclude_bots: 1, exclude_params: [], exclude_ips: [] }],
  ["UpdateWebsite", updateWebsiteBody, {}],
])("the schema %s", (name, schema, defaults) => {
  const described = components.schemas[name];

  test("has every field that the operation accepts, with its description", () => {
    const taken = Object.keys(schema.shape).filter((field) => name === "CreateWebsite" || field !== "domain");
    expect(Object.keys(described?.properties ?? {}).sort()).toEqual(taken.sort());
    for (const field of Object.values(described?.properties ?? {})) expect(field).toHaveProperty("description");
  });

  test("has the defaults of docs/interface.md, section 2", () => {
    const properties = Object.entries(described?.properties ?? {});
    const found = properties.flatMap(([field, property]) =>
      typeof property === "object" && property.default !== undefined ? [[field, property.default]] : [],
    );
    expect(Object.fromEntries(found)).toEqual(defaults);
  });
});
