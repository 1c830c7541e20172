import { unauthenticated } from "../errors/unauthenticated.ts";

// Created once, as `invalidApiKey` is.
const missing = unauthenticated('The request has no API key. Send the header "Authorization: Bearer <API key>".');
const notValid = unauthenticated(
  'The Authorization header is not valid. Send "Authorization: Bearer <API key>". ' +
    'An API key consists of letters, digits and "_".',
);

/**
 * Reads the API key in an `Authorization` header. It need not be valid.
 *
 * @throws AppError `unauthenticated` if the request has no such header, or it is not valid
 */
export function readBearerToken(header: string | undefined): string {
  if (header === undefined) throw missing;
  const token = /^bearer +([\x21-\x7e]+)$/i.exec(header)?.[1];
  if (token === undefined) throw notValid;
  return token;
}
