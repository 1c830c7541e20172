import * as z from "zod";
import { type ErrorCode, errorCodes } from "../error-codes.ts";
import { scopes } from "../routes.ts";

// Object.keys loses the key type. The set of codes is closed and constant.
const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

/** The body of every error: problem details of RFC 9457, sent as `application/problem+json`. */
export const problem = z
  .strictObject({
    type: z.string().describe("URL of the documentation page of `code`."),
    title: z.string().describe("Short summary, the same for every problem with this code."),
    status: z.int().describe("The HTTP status."),
    detail: z.string().describe("What went wrong this time, and what to do instead."),
    code: z.enum(codes).describe("Stable name of the error, from a closed set."),
    errors: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .describe("Every invalid field or parameter and its messages. Present with `validation_failed`."),
    request_id: z.string().describe("Identifies the request in the server's log. Also sent as `X-Request-Id`."),
    required_scope: z.enum(scopes).optional().describe("The scope that is missing. Present with `insufficient_scope`."),
    website_id: z.int().optional().describe("The website that has the domain. Present with `domain_taken`."),
    limit: z.int().optional().describe("The account's limit. Present with `website_limit_reached`."),
    outcome: z
      .literal("unknown")
      .optional()
      .describe(
        "Present with `unavailable` if the database failed while it committed the change, " +
          "so the change may be stored. Retry the request, a POST only with its idempotency key. " +
          "If it is absent, nothing was changed.",
      ),
  })
  .meta({ id: "Problem", description: "Problem details (RFC 9457)." });

/** The body of every error. */
export type Problem = z.output<typeof problem>;
