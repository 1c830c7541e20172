import { type AppError, validationFailed } from "../errors/app-error.ts";

/**
 * The largest number of fields that are read. A field that a form repeats counts once. No route has 20 fields. A body of
 * 64 KiB can contain 22,000, which took 30 ms to decode and to refuse one by one.
 */
export const maxFields = 1000;

/** @param part where the fields are, as the answer names it */
export function tooManyFields(part: "body" | "query"): AppError {
  return validationFailed({
    [part]: [`has more than ${maxFields} fields; send only fields that this operation accepts`],
  });
}
