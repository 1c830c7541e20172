import { contract } from "./contract.ts";
import { errorCodes } from "./error-codes.ts";
import { type RequestExample, requestExamples } from "./openapi/examples.ts";
import { headerParameters } from "./openapi/header-parameters.ts";
import { headers } from "./openapi/headers.ts";
import type { OpenApiDocument, PathItem } from "./openapi/open-api-document.ts";
import { type ContractRoute, describeOperation, schemasOfOperation } from "./openapi/operation.ts";
import { problemResponses } from "./openapi/problem-responses.ts";
import { exampleBaseUrl, formsNeed } from "./openapi/request-forms.ts";
import type { routes } from "./routes.ts";
import { version } from "./version.ts";

export type { OpenApiDocument } from "./openapi/open-api-document.ts";

const tags = {
  websites: "Websites with their privacy and exclusion settings.",
  account: "The account that the API key belongs to.",
} as const satisfies Record<keyof typeof routes, string>;

const resources: Readonly<Record<string, Readonly<Record<string, ContractRoute>>>> = contract;
const contractRoutes = Object.values(resources).flatMap((named) => Object.values(named));

/** The entire interface as OpenAPI 3.1, generated from the contract. The package contains it as `openapi.json`. */
export const openApiDocument: OpenApiDocument = {
  openapi: "3.1.1",
  info: {
    title: "Siteward",
    version,
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
    schemas: Object.assign({}, ...contractRoutes.map(schemasOfOperation)),
    parameters: headerParameters,
    responses: Object.assign({}, ...contractRoutes.map(({ metadata }) => problemResponses(metadata.route))),
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
};

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

function describePaths(): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  const examples: Readonly<Record<string, Readonly<Record<string, RequestExample>>>> = requestExamples;
  for (const [resource, named] of Object.entries(resources)) {
    for (const [name, contractRoute] of Object.entries(named)) {
      const { method, path } = contractRoute.metadata.route;
      const template = path.replace(/:(\w+)/g, "{$1}");
      const example = examples[resource]?.[name] ?? {};
      const operation = describeOperation({ resource, name, contractRoute, example });
      paths[template] = { ...paths[template], [method.toLowerCase()]: operation };
    }
  }
  return paths;
}
