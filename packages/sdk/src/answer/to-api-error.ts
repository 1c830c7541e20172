import type { Problem } from "@siteward/contract/types";
import { ApiError } from "../errors/api-error.ts";
import type { HttpAnswer } from "./answer.ts";
import { parseJson } from "./answer.ts";
import { createUnexpectedResponse } from "./create-unexpected-response.ts";
import { readRetryAfterMs } from "./retry-after.ts";

/**
 * Makes an ApiError of an answer that is not a success.
 *
 * @param nowMs milliseconds since 1970, against which an HTTP date in `Retry-After` is read
 */
export function toApiError(answer: HttpAnswer, nowMs: number): ApiError {
  const { status, headers } = answer;
  const retryAfterMs = readRetryAfterMs(headers.get("retry-after"), nowMs);
  const problem = status < 400 ? undefined : readProblem(answer.text);
  if (problem === undefined) return createUnexpectedResponse(answer, retryAfterMs);
  const { code, title, detail } = problem;
  return new ApiError({ code, status, title, detail, headers, problem, retryAfterMs });
}

/** Only what the SDK itself relies on is checked: a newer service may send codes and fields that are not known here. */
function readProblem(text: string): Problem | undefined {
  const body = parseJson(text);
  if (typeof body !== "object" || body === null) return undefined;
  const { code, title, detail, errors = {} }: Partial<Record<keyof Problem, unknown>> = body;
  if (![code, title, detail].every((value) => typeof value === "string")) return undefined;
  if (typeof errors !== "object" || errors === null || !Object.values(errors).every(Array.isArray)) return undefined;
  // Its code may be one that is not known here, which ApiErrorCode allows for.
  return body as Problem;
}
