import type { Answer } from "./answer.ts";
import { parseJson } from "./parse-json.ts";
import { createUnexpectedResponse } from "./unexpected-response.ts";

/**
 * Reads a body whose shape the contract gives, `data` included.
 *
 * @throws ApiError `unexpected_response` where it is not JSON with `data`, such as a proxy's login page sent as a 200
 */
export function readBody<Body extends { readonly data: unknown }>(answer: Answer): Body {
  const body = parseJson(answer.text);
  if (typeof body !== "object" || body === null || !("data" in body))
    throw createUnexpectedResponse(answer.place, answer);
  // The service's tests hold each body to the contract; a check of every field here would cost each user its schemas.
  return body as Body;
}

/** Reads the record that a body wraps. */
export function readRecord<Item>(answer: Answer): Item {
  return readBody<{ readonly data: Item }>(answer).data;
}

/** For operations that answer with nothing. */
export function readNothing(): void {}
