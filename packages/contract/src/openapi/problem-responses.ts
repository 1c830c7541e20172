import { type ErrorCode, errorCodes } from "../error-codes.ts";
import type { Route } from "../routes.ts";
import { problem } from "../schemas/problem.ts";
import type { Problem } from "../types.ts";
import { describeSchema } from "./describe-schema.ts";
import { headersOfCodes } from "./headers.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { Reference, Response } from "./open-api-document.ts";

/** Returns, for each error status of a route, a reference to the response that describes it. */
export function referToProblems(route: Route): Record<string, Reference> {
  const groups = codesByStatus(route).map(({ status, codes }) => [
    status,
    { $ref: `#/components/responses/${responseName(codes)}` },
  ]);
  return Object.fromEntries(groups);
}

/** Returns the responses that {@link referToProblems} refers to, by name. */
export function problemResponses(route: Route): Record<string, Response> {
  return Object.fromEntries(
    codesByStatus(route).map(({ status, codes }) => [responseName(codes), describeResponse(status, codes)]),
  );
}

function codesByStatus({ errors }: Route): { status: number; codes: ErrorCode[] }[] {
  const statuses = [...new Set(errors.map((code) => errorCodes[code].status))].sort((one, other) => one - other);
  return statuses.map((status) => ({ status, codes: errors.filter((code) => errorCodes[code].status === status) }));
}

/** Built from the codes, because a status has different codes in different routes: `InsufficientScopeOrWebsiteLimitReached`. */
function responseName(codes: readonly ErrorCode[]): string {
  const names = codes.map((code) =>
    code.replace(/(^|_)([a-z])/g, (_match, _gap, letter: string) => letter.toUpperCase()),
  );
  return names.join("Or");
}

function describeResponse(status: number, codes: readonly ErrorCode[]): Response {
  const narrowed: JsonSchema = {
    type: "object",
    properties: { status: { type: "integer", const: status }, code: { type: "string", enum: [...codes] } },
  };
  const examples = codes.map((code) => [code, { summary: errorCodes[code].title, value: problemExample(code) }]);
  return {
    description: codes.map(describeCode).join("\n\n"),
    headers: headersOfCodes(codes),
    content: {
      "application/problem+json": {
        schema: { allOf: [describeSchema(problem, "output"), narrowed] },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

function describeCode(code: ErrorCode): string {
  const { meaning, remedy } = errorCodes[code];
  return `\`${code}\`: ${meaning} ${remedy}`;
}

function problemExample(code: ErrorCode): Problem {
  const { status, title, meaning } = errorCodes[code];
  return {
    type: `http://127.0.0.1:3000/docs/errors/${code}`,
    title,
    status,
    detail: meaning.replaceAll("`", ""),
    code,
    ...particulars[code],
    request_id: "01890a5d-ac96-774b-bcce-b302099a8057",
  };
}

/** The fields that the example of a code has in addition. */
const particulars: { readonly [Code in ErrorCode]?: Partial<Problem> } = {
  insufficient_scope: {
    detail: "This operation needs an API key with the scope websites:write.",
    required_scope: "websites:write",
  },
  website_limit_reached: {
    detail:
      "This account has reached its limit of 100 websites. Delete a website, or ask the operator for a higher limit.",
    limit: 100,
  },
  change_limit_reached: {
    detail:
      "The changes of this account have reached their limit of 500 MB in the audit trail in a day (UTC). " +
      "Reads still work, and deletions until they have left half as much again. " +
      "Retry the change after 2027-01-31T00:00:00Z, or ask the operator for a higher limit.",
  },
  domain_taken: {
    detail:
      'Website 7 of this account already has the domain "example.com". Update that website, or choose another domain.',
    website_id: 7,
  },
  validation_failed: {
    detail: "Invalid request: privacy is 3; send 0 (Public), 1 (Private) or 2 (Password).",
    errors: { privacy: ["is 3; send 0 (Public), 1 (Private) or 2 (Password)"] },
  },
};
