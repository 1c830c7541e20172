import { Readable } from "node:stream";
import type { Command } from "commander";
import { connect } from "../client/connect.ts";
import { retriesOfMany } from "../client/create-client.ts";
import { CliError } from "../errors/cli-error.ts";
import { readText } from "../files/read-text.ts";
import { choiceFlag, presenceFlag } from "../flags/flag.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { defaultParallel, parallelFlag } from "../flags/parallel-flag.ts";
import { refuseSharedStdin } from "../flags/refuse-shared-stdin.ts";
import type { ImporterName } from "../importers/importers.ts";
import { fitTerminal } from "../output/fit-terminal.ts";
import { warn } from "../output/notices.ts";
import { type Output, openOutput } from "../output/output.ts";
import { type Io, writeText } from "../process/io.ts";
import { type FileFormat, formatOfPath, guessFormat } from "../rows/formats.ts";
import { settingNames } from "../settings/settings.ts";
import type { OnConflict } from "../sync/policy.ts";
import type { ImportSource } from "../sync/read-import-file.ts";
import { resultView, toResultRecord } from "../sync/result.ts";
import type { Run } from "../sync/run-all.ts";
import type { ImportMode } from "../sync/run-import.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

const formatFlag = choiceFlag<FileFormat>(
  "--format <format>",
  "format of the file (default: its extension, else its content)",
  {
    list: "list",
    csv: "csv",
    json: "json",
    ndjson: "ndjson",
    yaml: "yaml",
  },
);
const fromFlag = choiceFlag<ImporterName>("--from <service>", "import the sites of another service", {
  plausible: "plausible",
  matomo: "matomo",
  umami: "umami",
});
const conflictFlag = choiceFlag<OnConflict>(
  "--on-conflict <action>",
  "what to do with a website that exists (default: skip)",
  { skip: "skip", update: "update", fail: "fail" },
);
const requestsFlag = parallelFlag("requests");
const columnsFlag = presenceFlag(
  "--ignore-columns",
  "ignore unknown columns of a CSV file, unless they could be misspelt",
);
const dryRunFlag = presenceFlag("--dry-run", "check the file and show what would be done, without changing anything");

/** Sets up `siteward import`. */
export const importWebsites: CommandSetup = (command, io) => {
  command.argument("<file>", "file with websites, or - for standard input");
  for (const { options } of [formatFlag, fromFlag, columnsFlag, conflictFlag, requestsFlag, dryRunFlag])
    command.addOption(options[0]);
  command.addHelpText("after", `\n${fileHelp}\n${examples(exampleLines)}`).action(async (path: string) => {
    const flags = command.optsWithGlobals<GlobalFlags>();
    if (path === "-") refuseSharedStdin("The file -", flags);
    const output = openOutput(io, flags, resultView);
    const mode = readMode(command, path);
    const { readImportFile } = await import("../sync/read-import-file.ts");
    const text = await readText(io, path);
    const file = await readImportFile(text, chooseSource(command, path, text));
    for (const warning of file.warnings) await warn(io, flags, warning);
    const siteward = await connect(io, flags, retriesOfMany);
    const { runImport } = await import("../sync/run-import.ts");
    const run = await runImport(io, siteward, file, mode);
    const { errorOfImport, summarizeImport } = await import("../sync/report-import.ts");
    const summary = summarizeImport(run.results);
    await print(io, output, run, summary);
    const error = errorOfImport(run, mode, output.format === "table" ? "" : summary);
    if (error !== undefined) throw error;
  });
};

const fileHelp = `The file is a list of domains (one per line, # starts a comment), \
CSV with a header, JSON, NDJSON, or a site file in YAML.
Fields: domain, ${settingNames.join(", ")}, password_env, password_file. The entries of a list in a cell
are separated by commas. A website that exists is skipped, so an import that failed or was interrupted can be repeated. \
A URL is read as its host, except in a site file. Each line that is not valid is listed; the others are imported.`;

const exampleLines = [
  "siteward import domains.txt",
  "siteward import websites.csv --dry-run",
  "siteward import websites.json --on-conflict update --parallel 16",
  "siteward import clients.csv --ignore-columns",
  "siteward import sites.json --from matomo",
  "grep -v '^#' domains.txt | siteward import - --format list",
];

function readMode(command: Command, path: string): ImportMode {
  const values = command.opts();
  return {
    onConflict: conflictFlag.read(values) ?? "skip",
    isDryRun: dryRunFlag.read(values) === true,
    parallel: requestsFlag.read(values) ?? defaultParallel,
    path,
  };
}

function chooseSource(command: Command, path: string, text: string): ImportSource {
  const values = command.opts();
  const from = fromFlag.read(values);
  const chosen = formatFlag.read(values);
  const ignoresColumns = columnsFlag.read(values) === true;
  if (from !== undefined && chosen !== undefined) {
    throw new CliError(
      "usage",
      "--format and --from cannot be combined. The sites of another service are JSON or CSV.",
    );
  }
  if (from !== undefined && ignoresColumns) {
    throw new CliError("usage", "--from ignores the fields that no website has. Omit --ignore-columns.");
  }
  if (from !== undefined) return { from };
  const format = chosen ?? formatOfPath(path) ?? guessFormat(text);
  if (!ignoresColumns || format === "csv") return { format, ignoresColumns };
  throw new CliError("usage", `--ignore-columns applies to CSV. The format of the file is ${format}.`);
}

/** Prints what went wrong and a summary for people, and every result for programs. */
async function print(io: Io, output: Output, run: Run, summary: string): Promise<void> {
  const { reportImport } = await import("../sync/report-import.ts");
  if (output.format === "table") {
    await writeText(io.stdout, await fitTerminal(io.stdout, `${reportImport(run)}${summary}\n`));
  } else await output.list(Readable.from(run.results.map(toResultRecord)));
}
