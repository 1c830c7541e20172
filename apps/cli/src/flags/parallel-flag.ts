import { InvalidArgumentError } from "commander";
import { type Flag, flag } from "./flag.ts";

const maxParallel = 32;

/** How many run at the same time without the flag. */
export const defaultParallel = 8;

/** Declares the flag for how many of these run at the same time. */
export function parallelFlag(what: string): Flag<number> {
  const description = `${what} at the same time, 1 to ${maxParallel} (default: ${defaultParallel})`;
  return flag("--parallel <count>", description, (text) => {
    if (/^[1-9]\d?$/.test(text) && Number(text) <= maxParallel) return Number(text);
    throw new InvalidArgumentError(`Use a whole number from 1 to ${maxParallel}.`);
  });
}
