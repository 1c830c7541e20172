import { type AnyCallOptions, type ApiError, isApiError, type RawRequest, type Siteward } from "@siteward/sdk";
import { safeText } from "@siteward/start/safe-text";
import { InvalidArgumentError } from "commander";
import { readText } from "../files/read-text.ts";
import { parseJson } from "../files/rows.ts";
import { conditionOf, idempotencyKeyFlag, ifMatchFlag, refuseSharedStdin } from "../flags/parse.ts";
import { jsonText } from "../output/json.ts";
import { CliError } from "../process/cli-error.ts";
import { writeText } from "../process/io.ts";
import { evenIfUnread } from "../process/write-error.ts";
import type { Call, CommandDefinition } from "./command.ts";

interface Flags {
  readonly field?: readonly Pair[];
  readonly inputFile?: string;
  readonly include?: true;
  readonly ifMatch?: string;
  readonly idempotencyKey?: string;
}

/** `siteward api`. */
export const command: CommandDefinition<Flags> = {
  declare: (command) =>
    command
      .argument("<method>", "GET, POST, PUT or DELETE", parseMethod)
      .argument("<path>", "path below /api/v1/, or from the root if it starts with /", parsePath)
      .option(
        "-f, --field <name=value>",
        "add a field to the body; a value that is JSON has its type, and any other is a string; can be repeated",
        (text: string, earlier: readonly Pair[] = []) => [...earlier, parseField(text)],
      )
      .option("--input <file>", "send a JSON file as the body, or - for standard input")
      // It has the name of the global flag --no-input.
      .on("option:input", (file: string) => command.setOptionValue("inputFile", file))
      .option("-i, --include", "also print the status and the headers of the response")
      .option(...ifMatchFlag)
      .option(...idempotencyKeyFlag),
  help: `\
Sends one request with your API key and prints the JSON of the response. Errors
and exit codes are those of the other commands.`,
  examples: [
    "siteward api GET websites/7",
    "siteward api GET 'websites?search=example&per_page=100'",
    "siteward api POST websites -f domain=example.com -f privacy=1 -f 'exclude_params=[\"utm_*\"]'",
    "siteward api PUT websites/7 --input settings.json --include",
  ],
  run: async (call, method: RawRequest["method"], path: ParsedPath) => {
    const { io, flags } = call;
    const { output, fields, idempotencyKey, include } = flags;
    if (fields !== undefined) throw new CliError("usage", "`siteward api` prints the entire response. Omit --fields.");
    if (output !== undefined && output !== "json" && output !== "ndjson")
      throw new CliError("usage", "`siteward api` prints JSON. Omit --output, or pass json, or ndjson for one line.");
    const request = await readRequest(call, method, path);
    const options = { ...conditionOf(flags), idempotencyKey };
    const answer = await send(await call.connect(), request, options);
    const head = include === true ? headText(answer) : "";
    const isBodyShown = answer.body !== undefined && (include === true || answer.error === undefined);
    const body = isBodyShown ? `${jsonText(answer.body, output === "ndjson" ? undefined : 2)}\n` : "";
    await evenIfUnread(writeText(io.stdout, head + body));
    if (answer.error !== undefined) throw answer.error;
  },
};

function parseMethod(text: string): RawRequest["method"] {
  const method = text.toUpperCase();
  if (method === "GET" || method === "POST" || method === "PUT" || method === "DELETE") return method;
  throw new InvalidArgumentError("Use GET, POST, PUT or DELETE.");
}

/** @throws CliError `usage` if the parts do not fit together, or the file is not JSON */
async function readRequest(
  { io, flags }: Call<Flags>,
  method: RawRequest["method"],
  path: ParsedPath,
): Promise<RawRequest> {
  const { field: fields, inputFile: file } = flags;
  if (fields !== undefined && file !== undefined)
    throw new CliError("usage", "--field and --input cannot be combined.");
  if (method === "GET" && (fields ?? file) !== undefined)
    throw new CliError("usage", "A GET has no body. Add parameters to the path: `websites?search=example`.");
  if (file === "-") refuseSharedStdin("--input -", flags);
  const request = { method, ...path };
  if (file === undefined) return fields === undefined ? request : { ...request, body: collectPairs(fields) };
  const parsed = parseJson(await readText(io, file, bodyLimit));
  if (!parsed.ok) throw new CliError("usage", `--input ${parsed.reason}.`);
  return { ...request, body: parsed.value };
}

/** The service accepts 64 KiB, so it says what is wrong with most larger bodies itself. */
const bodyLimit = { maxBytes: 1024 * 1024, ifTooLarge: "The service accepts bodies of up to 64 KiB." };

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

/** A path of the service, and the query that was behind it. */
type ParsedPath = Pick<RawRequest, "path" | "query">;

/**
 * Parses the path of a raw request. A path without a slash at its start is below `/api/v1/`.
 *
 * @throws CliError `usage` if the path could lead out of the service, which would then not be the one that gets the key
 */
export function parsePath(text: string): ParsedPath {
  if (/^([a-z][a-z\d+.-]*:|\/\/)/i.test(text)) {
    throw new CliError(
      "usage",
      "The path must not contain the address of a service.",
      "Pass a path such as `websites/7`. The service is that of --base-url, SITEWARD_BASE_URL or the profile.",
    );
  }
  const [path = "", ...rest] = text.split("?");
  if (path === "" || /[#\\\s]/.test(text) || path.split("/").some(isDotSegment)) {
    throw new CliError("usage", `${JSON.stringify(text)} is not a path. Pass one such as \`websites/7\`.`);
  }
  const query = collectPairs([...new URLSearchParams(rest.join("?"))]);
  return { path: path.startsWith("/") ? path : `/api/v1/${path}`, query };
}

/** Whether a URL parser would remove this segment, and with ".." the one before it, even if it is encoded. */
function isDotSegment(segment: string): boolean {
  return /^(\.|%2e){1,2}$/i.test(segment);
}

/** A name and a value. */
type Pair = readonly [name: string, value: unknown];

/**
 * Parses `name=value` for a body. A value that is JSON, such as `1`, `null`, `["a"]` or `"1"`, has its type. Any other
 * is a string.
 *
 * @throws CliError `usage`; also for a password, since every user of a machine can read the arguments of its processes
 */
function parseField(text: string): Pair {
  const index = text.indexOf("=");
  if (index < 1) throw new CliError("usage", `${JSON.stringify(text)} has no name and value. Pass name=value.`);
  const name = text.slice(0, index);
  if (name === "password") {
    throw new CliError(
      "usage",
      "Other users can read a password in an argument. Pass the body with --input.",
      "For example: `siteward api PUT websites/7 --input website.json`",
    );
  }
  const value = text.slice(index + 1);
  const parsed = parseJson(value);
  return [name, parsed.ok ? parsed.value : value];
}

/** Returns an object with these members. A name that is repeated has an array of its values. */
function collectPairs(pairs: readonly Pair[]): Readonly<Record<string, unknown>> {
  const grouped = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries(
    [...grouped].map(([name, group]) => [name, group.length === 1 ? group[0]?.[1] : group.map(([, value]) => value)]),
  );
}
