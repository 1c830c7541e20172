import type { AnyCallOptions, ApiError, RawRequest, Siteward } from "@siteward/sdk";
import { InvalidArgumentError } from "commander";
import { collectPairs, type Pair, parseField, parsePair } from "../api/parse-pairs.ts";
import { type ParsedPath, parsePath } from "../api/parse-path.ts";
import { type RawResponse, renderResponse } from "../api/render-response.ts";
import { connect } from "../client/connect.ts";
import { CliError } from "../errors/cli-error.ts";
import { readText } from "../files/read-text.ts";
import type { OptionValues } from "../flags/field-flags.ts";
import { flag, presenceFlag, textFlag } from "../flags/flag.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { refuseSharedStdin } from "../flags/refuse-shared-stdin.ts";
import { idempotencyKeyFlag, ifMatchFlag, readCondition } from "../flags/request-flags.ts";
import { type Io, writeText } from "../process/io.ts";
import { parseJson } from "../rows/parse-json.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

const queryFlag = flag<readonly Pair<string>[]>(
  "-q, --query <name=value>",
  "add a parameter to the query; can be repeated",
  (text, earlier = []) => [...earlier, parsePair(text)],
);
const fieldFlag = flag<readonly Pair<unknown>[]>(
  "-f, --field <name=value>",
  "add a field to the body; a value that is JSON has its type, and any other is a string; can be repeated",
  (text, earlier = []) => [...earlier, parseField(text)],
);
const inputFlag = textFlag("--input <file>", "send a JSON file as the body, or - for standard input");
const includeFlag = presenceFlag("-i, --include", "also print the status and the headers of the response");
const ownFlags = [queryFlag, fieldFlag, inputFlag, includeFlag, ifMatchFlag, idempotencyKeyFlag];

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
      const style = { isIncluded: includeFlag.read(values) === true, isCompact: flags.output === "ndjson" };
      const { response, error } = await send(siteward, request, readOptions(values));
      if (error === undefined || style.isIncluded) await writeText(io.stdout, renderResponse(response, style));
      if (error !== undefined) throw error;
    });
};

const meaningHelp =
  "Sends one request with your API key and prints the JSON of the response. " +
  "Errors and exit codes are those of the other commands.";

const exampleLines = [
  "siteward api GET websites/7",
  "siteward api GET websites -q search=example -q per_page=100",
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

/** What the command line says of a request. */
interface RequestInput {
  readonly method: RawRequest["method"];
  readonly path: ParsedPath;
  readonly values: OptionValues;
}

/** @throws CliError `usage` if the parts do not fit together, or the file is not JSON */
async function readRequest(io: Io, flags: GlobalFlags, { method, path, values }: RequestInput): Promise<RawRequest> {
  const fields = fieldFlag.read(values);
  const file = inputFlag.read(values);
  const query = collectPairs([...path.query, ...(queryFlag.read(values) ?? [])]);
  if (fields !== undefined && file !== undefined) {
    throw new CliError("usage", "--field and --input cannot be combined.");
  }
  if (method === "GET" && (fields ?? file) !== undefined) {
    throw new CliError("usage", "A GET has no body. Pass parameters of the query with --query.");
  }
  if (file === "-") refuseSharedStdin("--input -", flags);
  const request = { method, path: path.path, query };
  if (file !== undefined) return { ...request, body: parseBody(await readText(io, file, bodyLimit)) };
  return fields === undefined ? request : { ...request, body: collectPairs(fields) };
}

/** The service accepts 64 KiB, so it says what is wrong with most larger bodies itself. */
const bodyLimit = { maxBytes: 1024 * 1024, ifTooLarge: "The service accepts bodies of up to 64 KiB." };

function parseBody(text: string): unknown {
  const parsed = parseJson(text);
  if (parsed.ok) return parsed.value;
  throw new CliError("usage", `--input ${parsed.reason}.`);
}

function readOptions(values: OptionValues): AnyCallOptions {
  const idempotencyKey = idempotencyKeyFlag.read(values);
  return { ...readCondition(values), ...(idempotencyKey !== undefined && { idempotencyKey }) };
}

/** Returns the response, and the error that it is, if it is one. */
async function send(siteward: Siteward, request: RawRequest, options: AnyCallOptions): Promise<SentRequest> {
  try {
    const { data, response } = await siteward.request(request, options).withResponse();
    return { response: { status: response.status, headers: response.headers, body: data } };
  } catch (error) {
    const { isApiError } = await import("@siteward/sdk");
    if (!isApiError(error)) throw error;
    return { response: { status: error.status, headers: error.headers, body: error.problem }, error };
  }
}

interface SentRequest {
  readonly response: RawResponse;
  readonly error?: ApiError;
}
