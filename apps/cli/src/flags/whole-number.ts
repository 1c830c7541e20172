import { InvalidArgumentError } from "commander";

/** Whether a string is a whole number, 1 or higher, in the one form that is printed: without sign, spaces and leading zeros. */
export function isWholeNumber(text: string): boolean {
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text));
}

/** Parses a page number or a count. */
export function parseWholeNumber(text: string): number {
  if (isWholeNumber(text)) return Number(text);
  throw new InvalidArgumentError("Use a whole number, 1 or higher.");
}
