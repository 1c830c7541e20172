import type { Problem } from "@siteward/contract/types";
import { ApiError } from "../errors/api-error.ts";
import { type HttpAnswer, parseJson } from "./answer.ts";
import { createUnexpectedResponse } from "./create-unexpected-response.ts";
import { readRetryAfterMs } from "./retry-after.ts";

/**
 * Creates the `ApiError` for a response that is not a success.
 *
 * @param nowMs milliseconds since 1970, to convert an HTTP date in `Retry-After` to a wait
 */
export function toApiError(answer: HttpAnswer, nowMs: number): ApiError {
  const { status, headers } = answer;
  if (status === 304) return createNotModified(answer);
  const retryAfterMs = readRetryAfterMs(headers.get("retry-after"), nowMs);
  const problem = status < 400 ? undefined : readProblem(answer.text);
  if (problem === undefined) return createUnexpectedResponse(answer, retryAfterMs);
  const { code, title, detail } = problem;
  return new ApiError({ code, status, title, detail, headers, problem, retryAfterMs });
}

/** A 304 comes only if the caller passed `If-None-Match` or `If-Modified-Since` in `headers`. */
function createNotModified({ endpoint, status, headers }: HttpAnswer): ApiError {
  const detail = `${endpoint} returned no body, because the entity tag in If-None-Match is still the current one.`;
  return new ApiError({ code: "not_modified", status, title: "Not modified", detail, headers });
}

/** Checks only what the SDK relies on: a newer service may send codes and fields that this version does not know. */
function readProblem(text: string): Problem | undefined {
  const body = parseJson(text);
  if (typeof body !== "object" || body === null) return undefined;
  const { code, title, detail, errors = {} }: Partial<Record<keyof Problem, unknown>> = body;
  if (![code, title, detail].every((value) => typeof value === "string")) return undefined;
  if (typeof errors !== "object" || errors === null || !Object.values(errors).every(Array.isArray)) return undefined;
  // The code may be unknown to this version. ApiErrorCode allows any string.
  return body as Problem;
}
