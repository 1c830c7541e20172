import type { AppError } from "../errors/app-error.ts";
import { validationFailed } from "../errors/refusals.ts";

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

/** @param part where the fields are, as the answer names it */
export function tooManyFields(part: "body" | "query"): AppError {
  return tooMany(part, `${maxFields} fields`);
}

export function tooManyNested(): AppError {
  return tooMany("body", `${maxNested} arrays and objects`);
}

function tooMany(part: "body" | "query", what: string): AppError {
  return validationFailed({ [part]: [`has more than ${what}; send only fields that this operation accepts`] });
}
