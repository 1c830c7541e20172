import { CliError } from "../errors/cli-error.ts";

/** How many websites a file may contain. */
export const maxWebsites = 100_000;

/** Returns the error of a file with more websites. A reader throws it at the first one that is too many. */
export function tooManyWebsites(): CliError {
  const limit = maxWebsites.toLocaleString("en-US");
  return new CliError("input_refused", `The file has more than ${limit} websites. Split it into several files.`);
}
