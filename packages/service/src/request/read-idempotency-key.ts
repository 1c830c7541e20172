import { AppError } from "../errors/app-error.ts";

/** How long the outcome of a request is kept for its idempotency key. */
export const keptMs = 24 * 60 * 60 * 1000;

/** A visible character is any of ASCII from `!` to `~`. A header that is sent twice contains a space, as Node joins it. */
const pattern = /^[\x21-\x7e]{1,255}$/;

/**
 * Reads the value of the header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07).
 *
 * @returns the key, or undefined if the request has none
 * @throws AppError `malformed_request` if it is not 1 to 255 visible ASCII characters
 */
export function readIdempotencyKey(key: string | string[] | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key === "string" && pattern.test(key)) return key;
  throw new AppError(
    "malformed_request",
    "The Idempotency-Key header is not valid. Send one key of 1 to 255 visible ASCII characters, such as a UUID.",
  );
}
