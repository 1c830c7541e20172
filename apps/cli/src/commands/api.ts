import { type AnyCallOptions, type ApiError, isApiError, type RawRequest, type Siteward } from "@siteward/sdk";
import { InvalidArgumentError } from "commander";
import { connect } from "../client/connect.ts";
import { readText } from "../files/read-text.ts";
import { parseJson } from "../files/rows.ts";
import type { OptionValues } from "../flags/field-flags.ts";
import { flag, presenceFlag, textFlag } from "../flags/flag.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { idempotencyKeyFlag, ifMatchFlag, readCondition, refuseSharedStdin } from "../flags/request-flags.ts";
import { jsonText } from "../output/json.ts";
import { safeText } from "../output/safe-text.ts";
import { CliError } from "../process/cli-error.ts";
import { type Io, writeText } from "../process/io.ts";
import { collectPairs, type Pair, type ParsedPath, parseField, parsePath } from "./api-request.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

const fieldFlag = flag<readonly Pair[]>(
  "-f, --field <name=value>",
  "add a field to the body; a value that is JSON has its type, and any other is a string; can be repeated",
  (text, earlier = []) => [...earlier, parseField(text)],
);
const inputFlag = textFlag("--input <file>", "send a JSON file as the body, or - for standard input");
const includeFlag = presenceFlag("-i, --include", "also print the status and the headers of the response");
const ownFlags = [fieldFlag, inputFlag, includeFlag, ifMatchFlag, idempotencyKeyFlag];

/** Sets up `siteward api`. */
export const api: CommandSetup = (command, io) => {
  command
    .argument("<method>", "GET, POST, PUT or DELETE", parseMethod)
    .argument("<path>", "path below /api/v1/, or from the root if it starts with /", parsePath);
  for (const { options } of ownFlags) command.addOption(options[0]);
  command
    .addHelpText("after", `\n${meaningHelp}\n${examples(exampleLines)}`)
    .action(async (method: RawRequest["method"], path: ParsedPath) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      checkOutput(flags);
      const values: OptionValues = command.opts();
      const request = await readRequest(io, flags, { method, path, values });
      const siteward = await connect(io, flags);
      const answer = await send(siteward, request, readOptions(values));
      const isIncluded = includeFlag.read(values) === true;
      if (isIncluded) await writeText(io.stdout, headText(answer));
      if (answer.body !== undefined && (isIncluded || answer.error === undefined))
        await writeText(io.stdout, `${jsonText(answer.body, flags.output === "ndjson" ? undefined : 2)}\n`);
      if (answer.error !== undefined) throw answer.error;
    });
};

const meaningHelp = `\
Sends one request with your API key and prints the JSON of the response. Errors
and exit codes are those of the other commands.`;

const exampleLines = [
  "siteward api GET websites/7",
  "siteward api GET 'websites?search=example&per_page=100'",
  "siteward api POST websites -f domain=example.com -f privacy=1 -f 'exclude_params=[\"utm_*\"]'",
  "siteward api PUT websites/7 --input settings.json --include",
];

function parseMethod(text: string): RawRequest["method"] {
  const method = text.toUpperCase();
  if (method === "GET" || method === "POST" || method === "PUT" || method === "DELETE") return method;
  throw new InvalidArgumentError("Use GET, POST, PUT or DELETE.");
}

function checkOutput({ output, fields }: GlobalFlags): void {
  if (fields !== undefined) throw new CliError("usage", "`siteward api` prints the entire response. Omit --fields.");
  if (output === undefined || output === "json" || output === "ndjson") return;
  throw new CliError("usage", "`siteward api` prints JSON. Omit --output, or pass json, or ndjson for one line.");
}

/** @throws CliError `usage` if the parts do not fit together, or the file is not JSON */
async function readRequest(
  io: Io,
  flags: GlobalFlags,
  { method, path, values }: Pick<RawRequest, "method"> & { readonly path: ParsedPath; readonly values: OptionValues },
): Promise<RawRequest> {
  const fields = fieldFlag.read(values);
  const file = inputFlag.read(values);
  const query = collectPairs(path.query);
  if (fields !== undefined && file !== undefined) {
    throw new CliError("usage", "--field and --input cannot be combined.");
  }
  if (method === "GET" && (fields ?? file) !== undefined) {
    throw new CliError("usage", "A GET has no body. Add parameters to the path: `websites?search=example`.");
  }
  if (file === "-") refuseSharedStdin("--input -", flags);
  const request = { method, path: path.path, query };
  if (file === undefined) return fields === undefined ? request : { ...request, body: collectPairs(fields) };
  const parsed = parseJson(await readText(io, file, bodyLimit));
  if (!parsed.ok) throw new CliError("usage", `--input ${parsed.reason}.`);
  return { ...request, body: parsed.value };
}

/** The service accepts 64 KiB, so it says what is wrong with most larger bodies itself. */
const bodyLimit = { maxBytes: 1024 * 1024, ifTooLarge: "The service accepts bodies of up to 64 KiB." };

function readOptions(values: OptionValues): AnyCallOptions {
  const idempotencyKey = idempotencyKeyFlag.read(values);
  return { ...readCondition(values), ...(idempotencyKey !== undefined && { idempotencyKey }) };
}

/** The status, the headers and the JSON of a response, and the error that it is, if it is one. */
interface Answer {
  readonly status: number;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  /** Undefined if the response has none. */
  readonly body: unknown;
  readonly error?: ApiError;
}

async function send(siteward: Siteward, request: RawRequest, options: AnyCallOptions): Promise<Answer> {
  try {
    const { data, response } = await siteward.request(request, options).withResponse();
    return { status: response.status, headers: response.headers, body: data };
  } catch (error) {
    if (!isApiError(error)) throw error;
    return { status: error.status, headers: error.headers, body: error.problem, error };
  }
}

function headText({ status, headers }: Answer): string {
  const lines = [`HTTP ${status}`, ...[...headers].map(([name, value]) => `${name}: ${value}`)];
  return `${lines.map(safeText).join("\n")}\n\n`;
}
