import * as z from "zod";
import { createDocument, type ZodOpenApiOverrideContext, type ZodOpenApiPathsObject } from "zod-openapi";
import packageJson from "../../package.json" with { type: "json" };
import { contract } from "../contract.ts";
import { errorCodes } from "../error-codes.ts";
import type { routes } from "../routes.ts";
import { problem } from "../schemas/problem.ts";
import { type RequestExample, requestExamples } from "./examples.ts";
import { headerParameters, headers } from "./headers.ts";
import { type ContractRoute, describeOperation } from "./operation.ts";
import { exampleBaseUrl, formsNeed } from "./request-forms.ts";

const tags = {
  websites: "Websites with their privacy and exclusion settings.",
  account: "The account that the API key belongs to.",
} as const satisfies Record<keyof typeof routes, string>;

/** The entire interface as OpenAPI 3.1, generated from the contract. The build writes it to `openapi.json`. */
export const openApiDocument: ReturnType<typeof createDocument> = createDocument(
  {
    openapi: "3.1.1",
    info: {
      title: "Siteward",
      version: packageJson.version,
      description: describeService(),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [
      { url: "/", description: "The server that returned this document." },
      {
        url: "{base_url}",
        description: "Any other server.",
        variables: {
          base_url: { default: exampleBaseUrl, description: "Base address of the server, without `/api/v1`." },
        },
      },
    ],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ apiKey: [] }],
    paths: describePaths(),
    components: {
      schemas: { Problem: problem },
      parameters: headerParameters,
      headers,
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "swk_…",
          description:
            "`Authorization: Bearer <API key>`. " +
            "An API key consists of `swk_` and 38 letters and digits, of which the last six are a checksum. " +
            "The operator creates keys and chooses their scopes. `x-scope` of an operation is the scope that it needs.",
        },
      },
    },
  },
  { override: refine },
);

function describeService(): string {
  const errors = Object.entries(errorCodes).map(
    ([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} |`,
  );
  return [
    "Stores websites with their privacy and exclusion settings.",
    "Send an API key as a bearer token with every request. Every response has the header `X-Request-Id`.",
    "Every error is `application/problem+json` (RFC 9457), on every path. " +
      "If a path does not support the method of the request, the error is `method_not_allowed` " +
      "and the `Allow` header lists the methods that it supports.",
    "Every POST takes an `Idempotency-Key`, which makes it safe to retry. " +
      "Every other operation takes the conditions `If-Match` and `If-None-Match`.",
    formsNeed,
    ["| Code | Status | Meaning |", "|---|---|---|", ...errors].join("\n"),
  ].join("\n\n");
}

function describePaths(): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  const examples: Readonly<Record<string, Readonly<Record<string, RequestExample>>>> = requestExamples;
  const resources: Readonly<Record<string, Readonly<Record<string, ContractRoute>>>> = contract;
  for (const [resource, named] of Object.entries(resources)) {
    for (const [name, contractRoute] of Object.entries(named)) {
      const { route } = contractRoute.metadata;
      const { method, path } = route;
      const template = path.replace(/:(\w+)/g, "{$1}");
      const example = examples[resource]?.[name] ?? {};
      const operation = describeOperation({ resource, name, route }, contractRoute, example);
      paths[template] = { ...paths[template], [method.toLowerCase()]: operation };
    }
  }
  return paths;
}

/** Adds what zod omits (defaults and examples before a transform) and removes what it adds. */
function refine({ zodSchema, jsonSchema }: ZodOpenApiOverrideContext): void {
  const definition = (zodSchema as z.core.$ZodTypes)._zod.def;
  if (definition.type === "default") jsonSchema.default = definition.defaultValue;
  const examples = z.globalRegistry.get(zodSchema)?.examples;
  if (Array.isArray(examples)) jsonSchema.examples = examples;
  if (jsonSchema.type === "number" && jsonSchema.enum?.every(Number.isInteger)) jsonSchema.type = "integer";
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // Properties that accept no value. The schema has them only for their message.
  for (const [name, property] of Object.entries(jsonSchema.properties ?? {})) {
    if (typeof property === "object" && property.not !== undefined) delete jsonSchema.properties?.[name];
  }
}
