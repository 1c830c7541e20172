import type { ChangeOptions } from "@siteward/sdk";
import { InvalidArgumentError } from "commander";
import { CliError } from "../process/cli-error.ts";

/** Returns a parser of whole numbers in this range. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    const range = max === Number.MAX_SAFE_INTEGER ? `, ${min} or higher` : ` from ${min} to ${max}`;
    throw new InvalidArgumentError(`Use a whole number${range}.`);
  };
}

/** The flag for the idempotency key of a create. */
export const idempotencyKeyFlag = [
  "--idempotency-key <key>",
  "make the command safe to repeat for 24 hours; use a different key for each website",
  (text: string): string => {
    if (/^[\x21-\x7e]{1,255}$/.test(text)) return text;
    throw new InvalidArgumentError("Use 1 to 255 visible ASCII characters, such as a UUID.");
  },
] as const;

/** The flag for the condition of a change. */
export const ifMatchFlag = ["--if-match <tag>", "only if the website still has this entity tag", parseTag] as const;

/** Parses an entity tag. Its quotes can be missing, because a shell removes them. */
function parseTag(text: string): string {
  if (/^(\*|(W\/)?"[\x21\x23-\x7e]*")$/.test(text)) return text;
  if (/^[\x21\x23-\x7e]+$/.test(text)) return `"${text}"`;
  throw new InvalidArgumentError("Use one entity tag, as `siteward websites get <id> --etag` shows it.");
}

/** Returns the condition of a change. Without the flag there is none: the SDK refuses undefined. */
export function conditionOf({ ifMatch }: { readonly ifMatch?: string }): ChangeOptions {
  return ifMatch === undefined ? {} : { ifMatch };
}

/** Returns the error of a flag for several websites, if what it states belongs to one. */
export function notForSeveral(flag: string, stated: string, verb: string): CliError {
  return new CliError("usage", `${stated} belongs to one website. With ${flag}, ${verb} one website at a time.`);
}

/**
 * Checks that nothing else reads the standard input that a command reads.
 *
 * @param reader what reads it, for the message
 * @throws CliError `usage` if the API key is read from it too
 */
export function refuseSharedStdin(reader: string, { apiKeyStdin }: { readonly apiKeyStdin?: true }): void {
  if (apiKeyStdin !== true) return;
  throw new CliError("usage", `${reader} and --api-key-stdin cannot both read standard input. Use --api-key-file.`);
}
