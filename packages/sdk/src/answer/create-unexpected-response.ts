import { ApiError } from "../errors/api-error.ts";
import type { HttpAnswer } from "./answer.ts";

/**
 * Creates the `ApiError` for a response that did not come from the service, or not from this URL of it, such as a
 * proxy's page or a redirect. The error describes the body and does not quote it.
 */
export function createUnexpectedResponse(answer: HttpAnswer, retryAfterMs?: number): ApiError {
  const { endpoint, status, headers } = answer;
  const detail = `${endpoint} returned ${describeAnswer(answer)}. Check baseUrl and any proxy in between.`;
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
  // Browsers report a redirect that was not followed as status 0.
  if (status === 0 || (status >= 300 && status < 400)) {
    const target = headers.get("location")?.replace(/[?#].*$/s, "");
    return `a redirect (${status})${target === undefined ? "" : ` to ${target}`}, which the SDK does not follow`;
  }
  const type = headers.get("content-type")?.replace(/;.*$/s, "") ?? "no content type";
  return `status ${status} with ${text === "" ? "an empty body" : `a body (${type})`} that the service does not send`;
}
