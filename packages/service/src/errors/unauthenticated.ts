import { AppError } from "./app-error.ts";

/**
 * Returns the refusal of a request without a valid API key. The challenge follows RFC 6750, section 3.
 *
 * @param challengeError what the challenge says about the key that was sent
 */
export function unauthenticated(detail: string, challengeError = ""): AppError {
  const headers = { "WWW-Authenticate": `Bearer realm="siteward"${challengeError}` };
  return new AppError("unauthenticated", detail, { headers });
}

const invalid = unauthenticated(
  "The API key is mistyped, unknown, revoked or expired. Send a valid API key.",
  ', error="invalid_token"',
);

/**
 * Returns the refusal of a request whose API key is not valid, whatever the reason. It is always the same error: an error notes where it
 * was created, which takes 10 µs, so a flood without valid keys cost more than as many answers.
 */
export function invalidApiKey(): AppError {
  return invalid;
}
