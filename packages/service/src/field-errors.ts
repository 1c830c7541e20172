import type { AppError } from "./app-error.ts";
import { validationFailed, websiteNotFound } from "./refusals.ts";

/** What a schema reports about one value that it refused. */
export interface ValidationIssue {
  readonly message: string;
  readonly path?: readonly PropertyKey[];
  /** Names that a closed object does not have. */
  readonly keys?: readonly string[];
}

/** A request can contain tens of thousands of unknown fields. The answer must not grow with their number. */
const maxNamedFields = 100;

/** The same applies to a name of 64 KiB. An answer would contain it twice, with each control character as `\u0000`. */
const maxNameLength = 200;

/** Groups the messages by field. Messages about the entire body get the field `body`. */
export function collectFieldErrors(issues: readonly ValidationIssue[]): Record<string, string[]> {
  const errors = new Map<string, string[]>();
  for (const issue of issues) {
    for (const name of issue.keys ?? [String(issue.path?.[0] ?? "body")]) {
      const field = shorten(name);
      const messages = errors.get(field);
      if (messages !== undefined) messages.push(issue.message);
      else if (errors.size < maxNamedFields) errors.set(field, [issue.message]);
      else break;
    }
  }
  return Object.fromEntries(errors);
}

function shorten(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name;
}

/**
 * Returns the refusal of a request that the schemas refuse. An ID that is not valid gets the same response as an ID that was
 * never used. Every other fault is named with its field.
 *
 * @param refused whether the schema of the path refuses its parameters, and the faults of query and body
 */
export function refuseInvalid(refused: { isPathInvalid: boolean; issues: readonly ValidationIssue[] }): AppError {
  const { isPathInvalid, issues } = refused;
  return isPathInvalid ? websiteNotFound() : validationFailed(collectFieldErrors(issues));
}
