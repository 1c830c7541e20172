import { contract } from "./contract.ts";
import { errorCodes } from "./error-codes.ts";
import { headers } from "./openapi/headers.ts";
import type { OpenApiDocument, PathItem } from "./openapi/open-api-document.ts";
import { type ContractRoute, describeOperation, schemasOfOperation } from "./openapi/operation.ts";
import { problemResponses } from "./openapi/problem-responses.ts";
import type { routes } from "./routes.ts";

export type { OpenApiDocument } from "./openapi/open-api-document.ts";

const tags = {
  websites: "Website records and their privacy and exclusion settings.",
  account: "The account that the API key belongs to.",
} as const satisfies Record<keyof typeof routes, string>;

const resources: Readonly<Record<string, Readonly<Record<string, ContractRoute>>>> = contract;
const contractRoutes = Object.values(resources).flatMap((named) => Object.values(named));

/** The whole interface as OpenAPI 3.1, made from the contract. `openapi.json` of the package is this document. */
export const openApiDocument: OpenApiDocument = {
  openapi: "3.1.1",
  info: {
    title: "Siteward",
    version: "1.0.0",
    description: describeService(),
    license: { name: "MIT", identifier: "MIT" },
  },
  servers: [
    { url: "/", description: "The server that this document came from." },
    {
      url: "{base_url}",
      description: "Any other server.",
      variables: {
        base_url: { default: "http://127.0.0.1:3000", description: "Base address, in front of `/api/v1`." },
      },
    },
  ],
  tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  security: [{ apiKey: [] }],
  paths: describePaths(),
  components: {
    schemas: Object.assign({}, ...contractRoutes.map(schemasOfOperation)),
    responses: Object.assign({}, ...contractRoutes.map(({ metadata }) => problemResponses(metadata.route))),
    headers,
    securitySchemes: {
      apiKey: {
        type: "http",
        scheme: "bearer",
        bearerFormat: "swk_…",
        description:
          "`Authorization: Bearer <API key>`. A key is `swk_` and 38 letters and digits, of which the last six are a checksum. The operator makes it, with the scopes that it is to have; each operation names the scope it needs as `x-scope`.",
      },
    },
  },
};

function describeService(): string {
  const errors = Object.entries(errorCodes).map(
    ([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} |`,
  );
  return [
    "Keeps website records with their privacy and exclusion settings.",
    "Every request carries an API key as a bearer token. Every response has `X-Request-Id`.",
    "Every error is `application/problem+json` (RFC 9457), on every path. A method that a path does not take is answered with `method_not_allowed` and the `Allow` header.",
    ["| Code | Status | Meaning |", "|---|---|---|", ...errors].join("\n"),
  ].join("\n\n");
}

function describePaths(): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const [tag, named] of Object.entries(resources)) {
    for (const contractRoute of Object.values(named)) {
      const { method, path } = contractRoute.metadata.route;
      const template = path.replace(/:(\w+)/g, "{$1}");
      paths[template] = { ...paths[template], [method.toLowerCase()]: describeOperation(tag, contractRoute) };
    }
  }
  return paths;
}
