import { type AppRoute, parseAsStandardSchema, type StandardSchemaV1 } from "@ts-rest/core";
import type { Request } from "express";
import { validationFailed, websiteNotFound } from "../errors/app-error.ts";
import { collectFieldErrors, type ValidationIssue } from "../errors/collect-field-errors.ts";

/** The parts of a request, as the schemas of its route return them. */
export interface ValidatedParts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Creates a function that validates the parts of a request by the schemas of a route. An ID that is not valid gets the same
 * response as an ID that was never used. Every other fault is named with its field.
 */
export function createValidator(route: AppRoute): (request: Request, sent: unknown) => ValidatedParts {
  const [validateParams, validateQuery, validateBody] = [
    validatorOf(route.pathParams),
    validatorOf(route.query),
    validatorOf("body" in route ? route.body : undefined),
  ];
  return (request, sent) => {
    const params = validateParams(request.params);
    const query = validateQuery(request.query);
    const body = validateBody(sent);
    if (params.issues !== undefined) throw websiteNotFound();
    if (query.issues === undefined && body.issues === undefined) {
      return { params: params.value, query: query.value, body: body.value };
    }
    // Zod's own issues have `keys`, which the Standard Schema type does not mention.
    const issues = [...(query.issues ?? []), ...(body.issues ?? [])] as ValidationIssue[];
    throw validationFailed(collectFieldErrors(issues));
  };
}

type Validate = (value: unknown) => StandardSchemaV1.Result<unknown>;

/** A part without a schema, such as the query of an operation that reads none, is not validated. */
function validatorOf(schema: unknown): Validate {
  const standard = parseAsStandardSchema(schema)?.["~standard"];
  if (standard === undefined) return (value) => ({ value });
  return (value) => {
    const result = standard.validate(value);
    if (result instanceof Promise) throw new Error("The schemas of the contract validate without waiting.");
    return result;
  };
}
