import type { Answer } from "./answer.ts";
import { parseJson } from "./answer.ts";
import { createUnexpectedResponse } from "./create-unexpected-response.ts";

/**
 * Reads the record that a body wraps.
 *
 * @throws ApiError `unexpected_response` where there is none, such as in a proxy's login page sent as a 200
 */
export function readRecord<Item>(answer: Answer): Item {
  const body = parseJson(answer.text);
  if (!isObject(body) || !isObject(body["data"])) throw createUnexpectedResponse(answer);
  // The service's tests hold each body to the contract; a check of every field here would cost each user its schemas.
  return body["data"] as Item;
}

/**
 * Reads a page of a list: its records, and `meta`, which leads to the next page.
 *
 * @throws ApiError `unexpected_response` where it is none
 */
export function readPageBody<Body>(answer: Answer): Body {
  const body = parseJson(answer.text);
  if (!isObject(body) || !Array.isArray(body["data"]) || !isObject(body["meta"])) {
    throw createUnexpectedResponse(answer);
  }
  // As with a record.
  return body as Body;
}

/**
 * For operations that answer with nothing: 204, or 404 where `send` counts a repeated deletion as done.
 *
 * @throws ApiError `unexpected_response` at any other success, which a proxy sent and which did nothing
 */
export function readNothing(answer: Answer): void {
  if (answer.status !== 204 && answer.status !== 404) throw createUnexpectedResponse(answer);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
