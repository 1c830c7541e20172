import { type Command, Option } from "commander";
import { chooseFormat, formats, isJsonFormat, type OutputFormat } from "../output/formats.ts";
import type { OutputFlags } from "../output/output.ts";

/** The flags that every command takes. */
export interface GlobalFlags extends OutputFlags {
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly apiKeyStdin?: true;
  readonly apiKeyFile?: string;
  /** False with `--no-input`. */
  readonly input: boolean;
}

/** Declares the global flags on the program; they are understood before and after the name of a command. */
export function addGlobalFlags(program: Command): void {
  program
    .addOption(new Option("-o, --output <format>", "format of the result").choices(Object.keys(formats)))
    .option("--fields <names>", "fields to show, between commas")
    .option("--profile <name>", "profile to use (SITEWARD_PROFILE)")
    .option("--base-url <url>", "address of the service (SITEWARD_BASE_URL)")
    .addOption(
      new Option("--api-key-stdin", "read the API key from standard input (SITEWARD_API_KEY)").conflicts("apiKeyFile"),
    )
    .option("--api-key-file <path>", "read the API key from a file")
    .option("--no-input", "never ask anything")
    .option("--no-color", "no colour (NO_COLOR)");
}

/** Whether errors are written as JSON: where the result would be. Reads raw arguments, since parsing may have failed. */
export function wantsJson(argv: readonly string[], stdoutIsTerminal: boolean): boolean {
  const format = findFormat(argv);
  if (format !== undefined && !isFormat(format)) return !stdoutIsTerminal;
  return isJsonFormat(chooseFormat(format, stdoutIsTerminal));
}

function findFormat(argv: readonly string[]): string | undefined {
  const index = argv.findLastIndex((argument) => /^(-o|--output(=|$))/.test(argument));
  const argument = argv[index];
  if (argument === undefined) return undefined;
  if (argument === "-o" || argument === "--output") return argv[index + 1];
  return argument.replace(/^(-o|--output=)/, "");
}

function isFormat(text: string): text is OutputFormat {
  return Object.hasOwn(formats, text);
}
