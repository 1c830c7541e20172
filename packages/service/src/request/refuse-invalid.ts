import type { AppError } from "../errors/app-error.ts";
import { collectFieldErrors, type ValidationIssue } from "../errors/collect-field-errors.ts";
import { validationFailed, websiteNotFound } from "../errors/refusals.ts";

/** What the schemas of a route report. */
interface InvalidParts {
  /** Whether the schema of the path refuses its parameters. */
  readonly isPathInvalid: boolean;
  /** The faults of query and body. */
  readonly issues: readonly ValidationIssue[];
}

/**
 * Returns the refusal of a request that the schemas refuse. An ID that is not valid gets the same response as an ID that was
 * never used. Every other fault is named with its field.
 */
export function refuseInvalid({ isPathInvalid, issues }: InvalidParts): AppError {
  return isPathInvalid ? websiteNotFound() : validationFailed(collectFieldErrors(issues));
}
