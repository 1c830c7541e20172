import { UsageError } from "../io/command-error.ts";

/** Reads the id of an account from the option or argument of a command line. */
export function readAccountId(option: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new UsageError(`${option} is ${JSON.stringify(text)}; it takes the id of an account, a whole number from 1.`);
}

/** Reads the name of an account or key from the option of a command line. It stays one line wherever it is printed. */
export function readName(option: string, text: string): string {
  const name = text.trim();
  if (name !== "" && name.length <= 200 && !/\p{Cc}/u.test(name)) return name;
  throw new UsageError(`${option} is ${JSON.stringify(text)}; it takes a text of 1 to 200 characters on one line.`);
}
