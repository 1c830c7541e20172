import { InvalidArgumentError } from "../errors/invalid-argument-error.ts";

/** Returns the error for an update whose `id` or `domain` is that of another website. */
export function cannotChange(field: string, value: unknown): InvalidArgumentError {
  return new InvalidArgumentError(`${field} cannot be changed. Pass ${value}, or omit it.`);
}
