import { type Answer, parseJson } from "./answer.ts";
import { createApiError } from "./create-api-error.ts";

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
 * The service sends no empty page that leads to another one, except one of changes on which all are deletions. A proxy that filters
 * pages may send a few.
 */
const maxEmptyPages = 3;

/**
 * Returns a page of a list: its records, and `meta`, which leads to the next page.
 *
 * @param cursor the cursor that was sent. A page that leads to itself, such as one from a proxy's cache, would never end.
 * @param emptyPages how many pages in a row before this one had no records
 * @throws ApiError `unexpected_response` if the body is not a page, or one of pages that would never end
 */
export function readPageBody<Body>(answer: Answer, cursor: string | undefined, emptyPages: number): Body {
  const body: { data?: unknown; meta?: unknown } = Object(parseJson(answer.text));
  const { data, meta } = body;
  if (!Array.isArray(data) || !isObject(meta) || meta["next_cursor"] === cursor) throw createApiError(answer);
  if (emptyPages >= maxEmptyPages && meta["next_cursor"] && !(data[0] || meta["deleted_ids"])) {
    throw createApiError(answer, "empty pages");
  }
  // Not checked further, for the same reason as a record.
  return body as Body;
}

/**
 * Returns the JSON of the body as it is, or undefined if the body is empty, or if `send` counts a retried DELETE as done.
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
