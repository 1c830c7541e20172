import { AppError } from "../errors/app-error.ts";

/**
 * Returns the refusal of a body that cannot be read. It never quotes the body, which can contain a password.
 *
 * @param fault what is wrong with the body, as the end of a sentence
 */
export function unreadableBody(fault: string, cause?: unknown): AppError {
  return new AppError("malformed_request", `The body could not be read: ${fault}.`, { cause });
}
