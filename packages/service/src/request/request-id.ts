/** The header with the ID of a request, in the request and in its answer. */
export const requestIdHeader = "X-Request-Id";

/**
 * Whether the ID that a client sent is kept: 1 to 128 harmless characters, so that the logs of both sides can be compared.
 * An API key is never kept, because it would be logged.
 */
export function isRequestId(inbound: unknown): inbound is string {
  return typeof inbound === "string" && /^(?!.*swk_)[\w.:~-]{1,128}$/.test(inbound);
}
