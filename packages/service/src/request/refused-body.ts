import { AppError } from "../app-error.ts";
import { validationFailed } from "../refusals.ts";

/**
 * The largest number of fields that are read. A field that a form repeats counts once. In JSON, members at any depth count.
 * No route has 20 fields. A body of 64 KiB can contain 22,000, which took 30 ms to decode and to refuse one by one.
 */
export const maxFields = 1000;

/**
 * The largest number of arrays and objects in JSON, at any depth. No route has a body with more than three. A body of
 * 64 KiB can contain 32,000 inside each other, which took 4 to 8 ms to decode.
 */
export const maxNested = 1000;

/** @param part where they are, as the answer names it */
export function tooMany(part: "body" | "query", what: string): AppError {
  return validationFailed({ [part]: [`has more than ${what}; send only fields that this operation accepts`] });
}

/**
 * Returns the refusal of a part of a request that cannot be read. It never quotes the part, which can contain a password.
 *
 * @param fault what is wrong with the part, as the end of a sentence
 */
export function unreadable(part: string, fault: string, cause?: unknown): AppError {
  return new AppError("malformed_request", `The ${part} could not be read: ${fault}.`, { cause });
}
