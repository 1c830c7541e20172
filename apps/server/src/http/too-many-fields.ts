import { type AppError, validationFailed } from "../errors/app-error.ts";

/**
 * The largest number of fields that are read; a field of a form that is sent repeatedly counts once. No route takes 20.
 * A body of 64 KiB can name 22,000, which cost 30 ms to decode and to refuse one by one.
 */
export const maxFields = 1000;

/** @param part what holds the fields, as the answer names it */
export function tooManyFields(part: "body" | "query"): AppError {
  return validationFailed({ [part]: [`names more than ${maxFields} fields; send only fields that are known here`] });
}
