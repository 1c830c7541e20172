import type { WebsitePage } from "@siteward/contract/types";
import { type Answer, createApiError, parseJson } from "./answer.ts";

/**
 * Returns the record in the body.
 *
 * @throws ApiError `unexpected_response` if the body has none, such as a proxy's login page sent with status 200
 */
export function readRecord<Item>(answer: Answer): Item {
  const body = parseJson(answer.text);
  if (!isObject(body) || !isObject(body["data"])) throw createApiError(answer);
  // The service's tests check each body against the contract. A check of each field here would bundle the schemas.
  return body["data"] as Item;
}

/**
 * Returns a page of a list: its records, and `meta`, which leads to the next page.
 *
 * @param cursor the cursor that was sent. A page that leads to itself, such as one from a proxy's cache, would never
 *   end.
 * @throws ApiError `unexpected_response` if the body is not a page, or one that leads to itself
 */
export function readPage(answer: Answer, cursor: string | undefined): WebsitePage {
  const body: { data?: unknown; meta?: unknown } = Object(parseJson(answer.text));
  const { data, meta } = body;
  if (!Array.isArray(data) || !isObject(meta) || meta["next_cursor"] === cursor) throw createApiError(answer);
  // Not checked further, for the same reason as a record.
  return body as WebsitePage;
}

/**
 * Returns the JSON of the body as it is, or undefined if the body is empty, or if `send` counts a retried DELETE as
 * done.
 *
 * @throws ApiError `unexpected_response` if the body is not JSON
 */
export function readBody<Body>(answer: Answer): Body {
  const isEmpty = answer.text === "" || answer.status === 404;
  const body = isEmpty ? undefined : parseJson(answer.text);
  if (!isEmpty && body === undefined) throw createApiError(answer);
  // The caller says what the body is.
  return body as Body;
}

/**
 * Checks the response of an operation that returns nothing: 204, or 404 if `send` counts a retried DELETE as done.
 *
 * @throws ApiError `unexpected_response` for any other success: a proxy sent it, and nothing was done
 */
export function readNothing(answer: Answer): void {
  if (answer.status !== 204 && answer.status !== 404) throw createApiError(answer);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
