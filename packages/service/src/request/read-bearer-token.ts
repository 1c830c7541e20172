import { apiKeyNotReadable } from "../errors/refusals.ts";

/**
 * Reads the API key in an `Authorization` header. It need not be valid.
 *
 * @throws AppError `unauthenticated` if the request has no such header, or it is not valid
 */
export function readBearerToken(header: string | undefined): string {
  const token = header && /^bearer +([\x21-\x7e]+)$/i.exec(header)?.[1];
  if (!token) throw apiKeyNotReadable(header);
  return token;
}
