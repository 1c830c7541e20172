import { InvalidArgumentError } from "commander";

/** Whether a string is a whole number, 1 or higher, in the one form that is printed: without sign, spaces and leading zeros. */
export function isWholeNumber(text: string): boolean {
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text));
}

/** Returns a parser of whole numbers in this range. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    const range = max === Number.MAX_SAFE_INTEGER ? `, ${min} or higher` : ` from ${min} to ${max}`;
    throw new InvalidArgumentError(`Use a whole number${range}.`);
  };
}
