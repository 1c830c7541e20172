import { ApiError } from "../errors/api-error.ts";
import type { HttpAnswer } from "./answer.ts";

/**
 * Makes the ApiError of an answer that did not come from the service, or not from this address of it: a proxy's page, a
 * redirect. Its text is described rather than quoted.
 */
export function createUnexpectedResponse(answer: HttpAnswer, retryAfterMs?: number): ApiError {
  const { endpoint, status, headers } = answer;
  const detail = `${endpoint} was answered with ${describeAnswer(answer)}; check baseUrl and any proxy in between`;
  return new ApiError({
    code: "unexpected_response",
    status,
    title: "Unexpected response",
    detail,
    headers,
    retryAfterMs,
  });
}

function describeAnswer({ status, headers, text }: HttpAnswer): string {
  // 0 is how browsers hide a redirect that was not followed.
  if (status === 0 || (status >= 300 && status < 400 && status !== 304)) {
    const target = headers.get("location")?.replace(/[?#].*$/s, "");
    return `a redirect (${status})${target === undefined ? "" : ` to ${target}`}, which is not followed`;
  }
  const type = headers.get("content-type")?.replace(/;.*$/s, "") ?? "no content type";
  return `${status} and ${text === "" ? "an empty body" : `a body (${type})`} that the service does not send`;
}
