import { refuseInvalid, type ValidationIssue } from "@siteward/service";
import type { Schema, ServedOperation } from "./find-route.ts";

/** The parts of a request, as they were sent or as the schemas returned them. */
interface RequestParts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Validates the parts of a request with the schemas of its route. One answer names every bad field.
 *
 * @throws AppError `validation_failed`, or `not_found` if the ID in the path is not valid
 */
export function validate({ schemas }: ServedOperation, sent: RequestParts): RequestParts {
  const params = validatePart(schemas.pathParams, sent.params);
  const query = validatePart(schemas.query, sent.query);
  const body = validatePart(schemas.body, sent.body);
  const issues = [...(query.issues ?? []), ...(body.issues ?? [])];
  if (params.issues !== undefined || issues.length > 0) {
    throw refuseInvalid({ isPathInvalid: params.issues !== undefined, issues });
  }
  return { params: params.value, query: query.value, body: body.value };
}

function validatePart(schema: Schema | undefined, sent: unknown): ValidatedPart {
  // The cast is safe: no schema of the contract is asynchronous, and they are zod's, whose issues have a message and, for a
  // closed object, the unknown keys.
  return schema === undefined ? {} : (schema["~standard"].validate(sent) as ValidatedPart);
}

interface ValidatedPart {
  readonly value?: unknown;
  readonly issues?: readonly ValidationIssue[];
}
