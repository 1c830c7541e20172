import { AppError } from "../errors/app-error.ts";

/**
 * Returns the refusal of a request without a valid API key. The challenge follows RFC 6750, section 3.
 *
 * @param challengeError what the challenge says about the key that was sent
 */
export function unauthenticated(detail: string, challengeError = ""): AppError {
  const headers = { "WWW-Authenticate": `Bearer realm="siteward"${challengeError}` };
  return new AppError("unauthenticated", detail, { headers });
}
