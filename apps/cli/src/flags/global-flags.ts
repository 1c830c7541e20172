import { type Command, InvalidArgumentError, Option } from "commander";
import { areMessagesJson, formats, type OutputFormat, type Streams } from "../output/formats.ts";
import type { OutputFlags } from "../output/output.ts";
import { wholeNumber } from "./parse.ts";

/** The flags that every command accepts. */
export interface GlobalFlags extends OutputFlags {
  /** The same as `output: "json"`, which it sets. */
  readonly json?: true;
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
  /** False with `--no-color`; read before the program is built, in `bin.ts`. */
  readonly color: boolean;
}

/** Declares the global flags on the program. They are accepted before and after the name of a command. */
export function addGlobalFlags(program: Command): void {
  for (const option of Object.values(globalOptions())) program.addOption(option);
  // As with a flag that is repeated, the last one counts.
  program.on("option:json", () => program.setOptionValue("output", "json"));
}

/** The option of each global flag. A flag without one does not compile. */
function globalOptions() {
  return {
    output: new Option("-o, --output <format>", "output format").choices(Object.keys(formats)),
    json: new Option("--json", "the same as --output json"),
    fields: new Option("--fields <fields>", "fields to show, comma-separated"),
    ascii: new Option("--ascii", "show domains in ASCII (xn--...) in tables"),
    profile: new Option("--profile <name>", "profile to use (SITEWARD_PROFILE)"),
    baseUrl: new Option("--base-url <url>", "URL of the service (SITEWARD_BASE_URL)"),
    apiKeyStdin: new Option(
      "--api-key-stdin",
      "read the API key from standard input; or set SITEWARD_API_KEY",
    ).conflicts("apiKeyFile"),
    apiKeyFile: new Option("--api-key-file <file>", "read the API key from a file"),
    timeout: new Option("--timeout <seconds>", "how long a request may take (default: 30)").argParser(parseSeconds),
    retries: new Option("--retries <count>", "how many times to retry a failed request (default: 0)").argParser(
      wholeNumber(0, 100),
    ),
    verbose: new Option("--verbose", "print each request and response, without secrets, on stderr"),
    input: new Option("--no-input", "never prompt"),
    color: new Option("--no-color", "disable color (NO_COLOR)"),
  } satisfies Record<keyof GlobalFlags, Option>;
}

const maxSeconds = 3600;

function parseSeconds(text: string): number {
  const seconds = /^\d+(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (seconds > 0 && seconds <= maxSeconds) return seconds;
  throw new InvalidArgumentError(`Use a number of seconds from 0.001 to ${maxSeconds}.`);
}

/** Whether errors are printed as JSON ({@link areMessagesJson}). Reads raw arguments, since parsing may have failed. */
export function wantsJson(argv: readonly string[], streams: Streams): boolean {
  const format = findFormat(argv);
  return areMessagesJson(format !== undefined && isFormat(format) ? format : undefined, streams);
}

function findFormat(argv: readonly string[]): string | undefined {
  const index = argv.findLastIndex((argument) => /^(-o|--output(=|$)|--json$)/.test(argument));
  const argument = argv[index];
  if (argument === "--json") return "json";
  if (argument === undefined) return undefined;
  if (argument === "-o" || argument === "--output") return argv[index + 1];
  return argument.replace(/^(-o|--output=)/, "");
}

function isFormat(text: string): text is OutputFormat {
  return Object.hasOwn(formats, text);
}
