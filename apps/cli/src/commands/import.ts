import { Privacy } from "@siteward/contract/plain";
import type { Exposure } from "@siteward/sdk/bulk";
import { Option } from "commander";
import { retriesOfMany } from "../client/connect.ts";
import { statedFields } from "../files/entry.ts";
import { type FileFormat, fileFormats, formatOfPath, guessFormat } from "../files/formats.ts";
import { readText } from "../files/read-text.ts";
import type { WebsiteFile } from "../files/read-websites.ts";
import { type ServiceName, serviceNames } from "../files/services/table.ts";
import { refuseSharedStdin } from "../flags/parse.ts";
import { parseFields } from "../output/fields.ts";
import { note, warn } from "../output/notices.ts";
import { openOutput } from "../output/output.ts";
import type { View } from "../output/view.ts";
import { CliError } from "../process/cli-error.ts";
import { describeExposure } from "../sync/exposure.ts";
import { type ImportMode, importFile } from "../sync/import-file.ts";
import type { OnConflict } from "../sync/policy.ts";
import { errorOfRun, printRun, summarizeRun } from "../sync/report.ts";
import { resultView } from "../sync/result.ts";
import type { Run } from "../sync/run.ts";
import { privacyLevels, settingNames } from "../websites/settings.ts";
import { levelOption } from "../websites/website-flags.ts";
import type { Call, CommandDefinition } from "./command.ts";
import { allowPublicFlag, type ConsentFlags, mayExpose } from "./consent.ts";

interface Flags extends ConsentFlags {
  readonly format?: FileFormat;
  readonly from?: ServiceName;
  readonly privacy?: number;
  readonly onConflict: OnConflict;
  readonly dryRun?: true;
}

/** The columns of a CSV file that `--fields` can choose. */
const columnView: View = Object.fromEntries(statedFields.map((name) => [name, { title: name, inList: true }]));

/** `siteward import`. */
export const command: CommandDefinition<Flags> = {
  declare: (command) =>
    command
      .argument("<file>", "file with websites, or - for standard input")
      .addOption(
        new Option("--format <format>", "format of the file (default: its extension, else its content)")
          .choices(fileFormats)
          .conflicts("from"),
      )
      .addOption(new Option("--from <service>", "import the sites of another service").choices(serviceNames))
      .addOption(
        levelOption(
          "--privacy <level>",
          "privacy of new websites that have none in the file (default: public)",
          privacyLevels,
        ),
      )
      .addOption(
        new Option("--on-conflict <action>", "what to do with a website that exists")
          .choices(["skip", "update", "fail"])
          .default("skip"),
      )
      .option("--dry-run", "check the file and show what would be done; change nothing")
      .option(...allowPublicFlag),
  help: `\
The file is a list of domains (one per line, # starts a comment), CSV with a
header, JSON, NDJSON, or a site file in YAML. Its fields are
domain, ${settingNames.join(", ")},
password_env and password_file. In a cell, separate the entries of a list with
commas. A CSV file can have columns of other names, such as url or visibility; a
warning says which fields they are read as. An unknown column refuses the file;
--fields domain reads only that one. A website that exists is skipped, so
you can repeat an import that failed or was interrupted. A URL is read as its
host, except in a site file. Lines that are not valid are listed; the others are
imported.`,
  examples: [
    "siteward import domains.txt",
    "siteward import websites.csv --dry-run",
    "siteward import websites.json --on-conflict update",
    "siteward import clients.csv --privacy private --fields domain",
    "siteward import sites.json --from matomo",
    "grep -v '^#' domains.txt | siteward import - --format list",
  ],
  view: columnView,
  run: async (call, path: string) => {
    const { io, flags, connect } = call;
    if (path === "-") refuseSharedStdin("The file -", flags);
    const output = openOutput(io, { ...flags, fields: undefined }, resultView);
    const { onConflict, privacy, dryRun, from, format, retries } = flags;
    const columns = flags.fields === undefined ? undefined : parseFields(flags.fields, columnView);
    const { readWebsites } = await import("../files/read-websites.ts");
    const text = await readText(io, path);
    const source =
      from === undefined ? { format: format ?? formatOfPath(path) ?? guessFormat(text), columns } : { from };
    const file = await readWebsites(text, source);
    for (const warning of file.warnings) await warn(io, warning);
    const isDryRun = dryRun === true;
    const mayChange = async (exposure: Exposure): Promise<boolean> => {
      if (!isDryRun) return await mayImport(call, exposure, file);
      const said = describeExposure(exposure);
      if (said !== "") await warn(io, said);
      return true;
    };
    const mode: ImportMode = { onConflict, isDryRun, path, privacy, mayChange, retries };
    const run = await importFile(io, await connect(retriesOfMany), file, mode);
    if (run === undefined) return await note(io, "Nothing was changed.");
    const summary = summarizeRun(run);
    await printRun(io, run, output, summary);
    const error = errorOfImport(run, mode, output.isText ? "" : ` ${summary}`);
    if (error !== undefined) throw error;
  },
};

/** Asks, unless the command line says that new websites are public. */
async function mayImport(call: Call<Flags>, exposure: Exposure, { refused }: WebsiteFile): Promise<boolean> {
  const created = call.flags.privacy === Privacy.Public ? [] : exposure.created;
  const wrong = refused.length.toLocaleString("en-US");
  const lines = refused.length === 0 ? "" : `Not valid and left out: ${wrong} (--dry-run lists them). `;
  const advice = created.length === 0 ? "" : "For new websites, --privacy sets what the file does not state. ";
  return await mayExpose(call, { ...exposure, created }, `${advice}Import?`, lines);
}

/**
 * Returns the error that an import ends with; undefined if every website is in the account as the file wants it.
 *
 * @param summary added to the message; empty if it was printed before
 */
function errorOfImport(run: Run, { onConflict, isDryRun }: ImportMode, summary: string): unknown {
  const command = onConflict === "fail" ? "the same command again with --on-conflict skip" : "the same command again";
  const again = `${command}: what is imported is not repeated.`;
  return errorOfRun(run, {
    again: `Run ${again}`,
    namesRest: false,
    refused: (which) => {
      if (which === "some" && isDryRun)
        return new CliError("partly_done", `Some websites would not be imported.${summary}`, `${fix}.`);
      if (which === "some")
        return new CliError("partly_done", `Some websites were not imported.${summary}`, `${fix}, then run ${again}`);
      if (onConflict !== "fail" || run.results.every(({ id }) => id === undefined))
        return new CliError("input_refused", `No website was imported.${summary}`, `${fix}.`);
      const next = "Nothing was changed. To accept that they exist, pass --on-conflict skip or update.";
      return new CliError("already_exists", `Some of the websites exist.${summary}`, next);
    },
  });
}

const fix = "Fix the lines that were refused";
