import { collectFieldErrors, type ValidationIssue, validationFailed, websiteNotFound } from "@siteward/service";
import type { RequestValidationError } from "@ts-rest/express";
import type { NextFunction } from "express";

/**
 * Refuses a request that the schemas refuse. An ID that is not valid gets the same response as an ID that was never used.
 * Every other fault is named with its field.
 */
export function refuseInvalid(
  error: RequestValidationError,
  _request: unknown,
  _response: unknown,
  next: NextFunction,
): void {
  if (error.pathParams !== null) {
    next(websiteNotFound());
    return;
  }
  // Zod's own issues have `keys`, which the Standard Schema type does not mention.
  const issues = [error.query, error.body].flatMap((part) => (part?.issues ?? []) as ValidationIssue[]);
  next(validationFailed(collectFieldErrors(issues)));
}
