import * as z from "zod";
import type { ZodOpenApiOperationObject, ZodOpenApiRequestBodyObject, ZodOpenApiResponseObject } from "zod-openapi";
import { type ErrorCode, errorCodes } from "../error-codes.ts";
import type { Route } from "../routes.ts";
import { jsonExamples, type RequestExample } from "./examples.ts";
import { headersOfErrors, headersOfSuccess, parametersOf } from "./headers.ts";
import { describeRequest, type NamedOperation } from "./request-forms.ts";

/** The parts of a contract route that the document needs. A body that is not a schema, such as `c.noBody()`, has no content. */
export interface ContractRoute {
  readonly summary: string;
  readonly description: string;
  readonly metadata: { readonly route: Route; readonly operationId: string; readonly errors: readonly ErrorCode[] };
  readonly pathParams?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: unknown;
  readonly responses: Readonly<Record<number, unknown>>;
}

/** Returns the description of one operation. */
export function describeOperation(
  operation: NamedOperation,
  { summary, description, metadata, pathParams, query, body, responses }: ContractRoute,
  example: RequestExample,
): ZodOpenApiOperationObject {
  const { route, operationId, errors } = metadata;
  return {
    operationId,
    tags: [operation.resource],
    summary,
    description: [
      description,
      `Needs the scope \`${route.scope}\`.`,
      "With curl, with the SDK and with the CLI:",
      describeRequest(operation, example),
    ].join("\n\n"),
    "x-scope": route.scope,
    requestParams: { ...(pathParams && { path: pathParams }), ...(route.method === "GET" && query && { query }) },
    parameters: parametersOf(route),
    ...(body instanceof z.ZodType && { requestBody: describeBody(body) }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, schema]) => [
        status,
        Number(status) < 400 ? describeAnswer(route, Number(status), schema) : describeProblem(Number(status), errors),
      ]),
    ),
  };
}

function describeBody(schema: z.ZodType): ZodOpenApiRequestBodyObject {
  const example = jsonExamples[schema.meta()?.id ?? ""];
  const repeated = { style: "form", explode: true } as const;
  return {
    required: !schema.safeParse({}).success,
    description:
      "A form or JSON with the same fields, in UTF-8, up to 64 KiB. " +
      "In a form, send a list as one value with entries separated by commas or line breaks " +
      "(`exclude_ips=203.0.113.7%0A2001:db8::/32`), or repeat the field, " +
      "with or without brackets (`exclude_ips=203.0.113.7&exclude_ips=…`, `exclude_ips[]=…`, `exclude_ips[0]=…`). " +
      "An empty value is an empty list. In JSON, send an array of strings, or a string as in a form. " +
      "The request fails if it contains an unknown field, or a field that is not a list more than once.",
    content: {
      "application/x-www-form-urlencoded": {
        schema,
        example: toForm(example),
        encoding: { exclude_params: repeated, exclude_ips: repeated },
      },
      "application/json": { schema, example },
    },
  };
}

/** Returns the body with each list as a string with one entry per line. */
function toForm(body: object = {}): object {
  const fields = Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? value.join("\n") : value]);
  return Object.fromEntries(fields);
}

function describeAnswer(route: Route, status: number, schema: unknown): ZodOpenApiResponseObject {
  const headers = headersOfSuccess(route, status);
  if (schema instanceof z.ZodType) {
    const { id = "", description = "" } = schema.meta() ?? {};
    return { description, headers, content: { "application/json": { schema, example: jsonExamples[id] } } };
  }
  const description =
    status === 304
      ? "Nothing has changed: `If-None-Match` contains the current entity tag. The response has no body."
      : "The operation succeeded. The response has no body.";
  return { description, headers };
}

/** The responses by name. Two operations share one if the status has the same codes in both. */
const problemResponses = new Map<string, ZodOpenApiResponseObject>();

function describeProblem(status: number, errors: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const codes = errors.filter((code) => errorCodes[code].status === status);
  const id = codes
    .map((code) => code.replace(/(^|_)([a-z])/g, (_match, _gap, letter) => letter.toUpperCase()))
    .join("Or");
  const properties = {
    status: { type: "integer" as const, const: status },
    code: { type: "string" as const, enum: codes },
  };
  const schema = { allOf: [{ $ref: "#/components/schemas/Problem" }, { type: "object" as const, properties }] };
  const response = problemResponses.get(id) ?? {
    id,
    description: codes
      .map((code) => `\`${code}\`: ${errorCodes[code].meaning} ${errorCodes[code].remedy}`)
      .join("\n\n"),
    headers: headersOfErrors(codes),
    content: { "application/problem+json": { schema } },
  };
  problemResponses.set(id, response);
  return response;
}
