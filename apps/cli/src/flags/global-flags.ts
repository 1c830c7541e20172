import { type Command, InvalidArgumentError, Option } from "commander";
import { formats } from "../output/formats.ts";
import type { OutputFlags } from "../output/output.ts";
import { wholeNumber } from "./parse.ts";

/** The flags that every command accepts. */
export interface GlobalFlags extends OutputFlags {
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly apiKeyStdin?: true;
  readonly apiKeyFile?: string;
  /** How long one request may take, in seconds. */
  readonly timeout?: number;
  /** How many times a failed request is retried, if that is safe. */
  readonly retries?: number;
  /** Whether to print each request and response on stderr. */
  readonly verbose?: true;
  /** False with `--no-input`. */
  readonly input: boolean;
}

/** Declares the global flags on the program. They are accepted before and after the name of a command. */
export function addGlobalFlags(program: Command): void {
  program
    .addOption(new Option("-o, --output <format>", "output format").choices(Object.keys(formats)))
    .option("--fields <fields>", "fields to show, comma-separated")
    .option("--ascii", "show domains in ASCII (xn--...) in tables")
    .option("--profile <name>", "profile to use (SITEWARD_PROFILE)")
    .option("--base-url <url>", "URL of the service (SITEWARD_BASE_URL)")
    .addOption(
      new Option("--api-key-stdin", "read the API key from standard input; or set SITEWARD_API_KEY").conflicts(
        "apiKeyFile",
      ),
    )
    .option("--api-key-file <file>", "read the API key from a file")
    .option("--timeout <seconds>", "how long a request may take (default: 30)", parseSeconds)
    .option("--retries <count>", "how many times to retry a failed request (default: 0)", wholeNumber(0, 100))
    .option("--verbose", "print each request and response, without secrets, on stderr")
    .option("--no-input", "never prompt")
    // Read before the program is built, in `bin.ts`.
    .option("--no-color", "disable color (NO_COLOR)");
}

const maxSeconds = 3600;

function parseSeconds(text: string): number {
  const seconds = /^\d+(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (seconds > 0 && seconds <= maxSeconds) return seconds;
  throw new InvalidArgumentError(`Use a number of seconds from 0.001 to ${maxSeconds}.`);
}
