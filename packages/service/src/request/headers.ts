import { apiKeyPrefix, apiKeyShownLength } from "@siteward/contract/plain";
import { AppError } from "../app-error.ts";
import { invalidAuthorization, noApiKey } from "../refusals.ts";

/**
 * Reads the API key in an `Authorization` header. It need not be valid.
 *
 * @throws AppError `unauthenticated` if the request has no such header, or it is not valid
 */
export function readBearerToken(header: string | undefined): string {
  if (header === undefined) throw noApiKey;
  const token = /^bearer +([\x21-\x7e]+)$/i.exec(header)?.[1];
  if (token === undefined) throw invalidAuthorization;
  return token;
}

const prefixShape = new RegExp(`^${apiKeyPrefix}[0-9A-Za-z]{${apiKeyShownLength}}$`);

/** Whether a string can be the prefix of a key. */
export function isKeyPrefix(text: string): boolean {
  return prefixShape.test(text);
}

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

/** The header with the ID of a request, in the request and in its answer. */
export const requestIdHeader = "X-Request-Id";

/**
 * Whether the ID that a client sent is kept: 1 to 128 harmless characters, so that the logs of both sides can be compared.
 * An API key is never kept, because it would be logged.
 */
export function isRequestId(inbound: unknown): inbound is string {
  return typeof inbound === "string" && /^(?!.*swk_)[\w.:~-]{1,128}$/.test(inbound);
}
