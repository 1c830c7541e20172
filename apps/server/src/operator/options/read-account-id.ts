import { UsageError } from "../io/terminal.ts";

/** Reads the id of an account from the option or argument of a command line. */
export function readAccountId(option: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new UsageError(`${option} is ${JSON.stringify(text)}; it takes the id of an account, a whole number from 1.`);
}
