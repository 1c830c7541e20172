import type { Problem } from "@siteward/contract/types";
import { ApiError, type ApiErrorCode, proxyAdvice } from "../errors/api-error.ts";
import type { CallContext } from "../errors/siteward-error.ts";
import { readRetryAfterMs } from "../response-headers.ts";

/** An HTTP response that was read to its end, with the API key removed wherever the server echoed it. */
export interface Answer {
  /** Method and URL, for messages. Without the query, which may contain what the user searches for. */
  readonly endpoint: string;
  readonly status: number;
  /** Whether the status is one of success. */
  readonly isSuccess: boolean;
  /** Whether the body was not read to its end, because the service sends none of this size. */
  readonly isTooLarge: boolean;
  /** Copies the headers without the key. Most calls read none, and a copy takes longer than all else. */
  readonly readHeaders: () => Headers;
  readonly text: string;
  /** The call so far, for an error about this response. */
  readonly call: CallContext;
}

/** Reads the body of a response as text. Returns undefined, and reads no further, if it has more than `maxBytes`. */
export async function readText(response: Response, maxBytes: number): Promise<string | undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) {
    // A fetch without streams, such as that of React Native, has only this.
    const whole = await response.text();
    return whole.length > maxBytes ? undefined : whole;
  }
  const decoder = new TextDecoder();
  let bytes = 0;
  for (let text = ""; ; ) {
    const { done, value } = await reader.read();
    bytes += value?.byteLength ?? 0;
    if (bytes > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: !done });
    if (done) return text;
  }
}

/** @returns the value, or undefined if the text is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Creates the `ApiError` for a response: `unexpected_response`, without its body, if it is not of the service.
 *
 * @param returned what the service does not send. Default: the status and the kind of the body
 */
export function createApiError(answer: Answer, returned?: string): ApiError {
  const { status } = answer;
  const headers = answer.readHeaders();
  const problem = status < 400 ? undefined : readProblem(answer.text);
  const { code, title, detail } = problem ?? describeWithoutProblem(answer, headers, returned);
  const retryAfterMs = readRetryAfterMs(headers.get("retry-after"), Date.now());
  return new ApiError({ code, status, title, detail, headers, problem, retryAfterMs });
}

/** Checks only what the SDK relies on: a newer service may send codes and fields that this version does not know. */
function readProblem(text: string): Problem | undefined {
  const body: Partial<Record<keyof Problem, unknown>> = Object(parseJson(text));
  const { code, title, detail, errors = {} } = body;
  if (![code, title, detail].every((value) => typeof value === "string")) return undefined;
  if (typeof errors !== "object" || errors === null || !Object.values(errors).every(Array.isArray)) return undefined;
  // The code may be unknown to this version. ApiErrorCode allows any string.
  return body as Problem;
}

function describeWithoutProblem(
  answer: Answer,
  headers: Headers,
  what = describeAnswer(answer, headers),
): { code: ApiErrorCode; title: string; detail: string } {
  const returned = `${answer.endpoint} returned`;
  // A 304 comes only if the caller passed `If-None-Match` or `If-Modified-Since` in `headers`.
  if (answer.status === 304) {
    const detail = `${returned} no body, because If-None-Match has the current entity tag.`;
    return { code: "not_modified", title: "Not modified", detail };
  }
  const next = answer.status === 407 ? proxyAdvice : "Check baseUrl and any proxy in between.";
  const detail = `${returned} ${what}. ${next}`;
  return { code: "unexpected_response", title: "Unexpected response", detail };
}

function describeAnswer({ status, text }: Answer, headers: Headers): string {
  const [target, type] = ["location", "content-type"].map((name) => headers.get(name)?.replace(/[?#;].*$/s, ""));
  // Browsers report a redirect that was not followed as status 0.
  if (status === 0 || (status >= 300 && status < 400)) {
    return `a redirect (${status})${target ? ` to ${target}` : ""}, which the SDK does not follow`;
  }
  const body = text === "" ? "an empty body" : `a body (${type ?? "no content type"})`;
  return `status ${status} with ${body} that the service does not send`;
}
