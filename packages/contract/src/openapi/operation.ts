import * as z from "zod";
import type { Route } from "../routes.ts";
import { describeSchema, namedSchemas, nameOf } from "./describe-schema.ts";
import { formExamples, jsonExamples, type RequestExample } from "./examples.ts";
import { referToHeaderParameters } from "./header-parameters.ts";
import { headersOfSuccess } from "./headers.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { MediaType, Operation, Parameter, RequestBody, Response } from "./open-api-document.ts";
import { referToProblems } from "./problem-responses.ts";
import { describeRequest } from "./request-forms.ts";

/** The parts of a contract route that the document needs. A body that is not a schema, such as `c.noBody()`, has no content. */
export interface ContractRoute {
  readonly summary: string;
  readonly description: string;
  readonly metadata: { readonly route: Route; readonly operationId: string };
  readonly pathParams?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: unknown;
  readonly responses: Readonly<Record<number, unknown>>;
}

/** An operation of the contract, its place in it, and the example of its request. */
export interface DescribedOperation {
  readonly resource: string;
  readonly name: string;
  readonly contractRoute: ContractRoute;
  readonly example: RequestExample;
}

/** Returns the description of one operation. */
export function describeOperation({ resource, name, contractRoute, example }: DescribedOperation): Operation {
  const { summary, description, metadata, pathParams, query, body, responses } = contractRoute;
  const { route, operationId } = metadata;
  const parameters = [
    ...describeParameters("path", pathParams),
    ...describeParameters("query", query),
    ...referToHeaderParameters(route),
  ];
  const answers = Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, schema]) => [status, describeAnswer(route, Number(status), schema)]);
  return {
    operationId,
    tags: [resource],
    summary,
    description: [
      description,
      `Needs the scope \`${route.scope}\`.`,
      "With curl, with the SDK and with the CLI:",
      describeRequest({ resource, name, endpoint: route }, example),
    ].join("\n\n"),
    "x-scope": route.scope,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(isSchema(body) ? { requestBody: describeBody(body) } : {}),
    responses: { ...Object.fromEntries(answers), ...referToProblems(route) },
  };
}

/** Returns the named schemas of everything that an operation accepts and returns. */
export function schemasOfOperation({ body, responses }: ContractRoute): Record<string, JsonSchema> {
  const answers = Object.values(responses).filter(isSchema);
  return Object.assign(
    isSchema(body) ? namedSchemas(body, "input") : {},
    ...answers.map((schema) => namedSchemas(schema, "output")),
  );
}

function describeParameters(place: "path" | "query", schema: z.ZodType | undefined): Parameter[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = describeSchema(schema, "input");
  return Object.entries(properties).map(([name, property]) => {
    if (typeof property === "boolean") throw new Error(`The parameter ${name} has no schema of its own.`);
    const { description = "", ...rest } = property;
    return { name, in: place, required: required.includes(name), description, schema: rest };
  });
}

function describeBody(body: z.ZodType): RequestBody {
  const schema = describeSchema(body, "input");
  const name = nameOf(schema) ?? "";
  const { required = [] } = namedSchemas(body, "input")[name] ?? schema;
  const repeated = { style: "form", explode: true } as const;
  return {
    required: required.length > 0,
    description:
      "A form or JSON with the same fields, in UTF-8, up to 64 KiB. " +
      "In a form, send a list as one value with entries separated by commas or line breaks " +
      "(`exclude_ips=203.0.113.7%0A2001:db8::/32`), or repeat the field, " +
      "with or without brackets (`exclude_ips=203.0.113.7&exclude_ips=2001:db8::/32`, `exclude_ips[]=…`). " +
      "An empty value is an empty list. In JSON, send an array of strings, or a string as in a form. " +
      "The request fails if it contains an unknown field, or a field that is not a list more than once.",
    content: {
      "application/x-www-form-urlencoded": {
        schema,
        example: formExamples[name],
        encoding: { exclude_params: repeated, exclude_ips: repeated },
      },
      "application/json": { schema, example: jsonExamples[name] },
    },
  };
}

function describeAnswer(route: Route, status: number, schema: unknown): Response {
  const headers = headersOfSuccess(route, status);
  if (!isSchema(schema)) return { description: describeNoContent(status), headers };
  const reference = describeSchema(schema, "output");
  const content: MediaType = { schema: reference, example: jsonExamples[nameOf(reference) ?? ""] };
  return {
    description: z.globalRegistry.get(schema)?.description ?? "",
    headers,
    content: { "application/json": content },
  };
}

function describeNoContent(status: number): string {
  return status === 304
    ? "Nothing has changed: `If-None-Match` contains the current entity tag. The response has no body."
    : "The operation succeeded. The response has no body.";
}

function isSchema(value: unknown): value is z.ZodType {
  return value instanceof z.ZodType;
}
