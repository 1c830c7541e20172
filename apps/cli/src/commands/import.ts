import { Option } from "commander";
import { retriesOfMany } from "../client/connect.ts";
import { mayPrompt, promptForConfirmation } from "../client/prompts.ts";
import { type FileFormat, fileFormats, formatOfPath, guessFormat } from "../files/formats.ts";
import { readText } from "../files/read-text.ts";
import type { WebsiteFile } from "../files/read-websites.ts";
import { type ServiceName, serviceNames } from "../files/services.ts";
import { refuseSharedStdin } from "../flags/parse.ts";
import { note, warn } from "../output/notices.ts";
import { CliError } from "../process/cli-error.ts";
import type { Io } from "../process/io.ts";
import { type ImportMode, importFile } from "../sync/import-file.ts";
import type { OnConflict } from "../sync/policy.ts";
import { errorOfRun, printRun, summarizeRun } from "../sync/report.ts";
import { resultView } from "../sync/result.ts";
import type { Run } from "../sync/run.ts";
import { privacyLevels, settingNames } from "../websites/settings.ts";
import { levelOption } from "../websites/website-flags.ts";
import type { CommandDefinition } from "./command.ts";

interface Flags {
  readonly format?: FileFormat;
  readonly from?: ServiceName;
  readonly privacy?: number;
  readonly onConflict: OnConflict;
  readonly dryRun?: true;
}

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
      .option("--dry-run", "check the file and show what would be done; change nothing"),
  help: `\
The file is a list of domains (one per line, # starts a comment), CSV with a
header, JSON, NDJSON, or a site file in YAML. Its fields are
domain, ${settingNames.join(", ")},
password_env and password_file. In a cell, separate the entries of a list with
commas. A CSV file can have columns of other names, such as url or visibility; a
warning says which fields they are read as. A website that exists is skipped, so
you can repeat an import that failed or was interrupted. A URL is read as its
host, except in a site file. Lines that are not valid are listed; the others are
imported.`,
  examples: [
    "siteward import domains.txt",
    "siteward import websites.csv --dry-run",
    "siteward import websites.json --on-conflict update",
    "siteward import clients.csv --privacy private",
    "siteward import sites.json --from matomo",
    "grep -v '^#' domains.txt | siteward import - --format list",
  ],
  view: resultView,
  run: async ({ io, flags, openOutput, connect }, path: string) => {
    if (path === "-") refuseSharedStdin("The file -", flags);
    const output = openOutput();
    const { onConflict, privacy, dryRun, from, format } = flags;
    const { readWebsites } = await import("../files/read-websites.ts");
    const text = await readText(io, path);
    const source = from === undefined ? { format: format ?? formatOfPath(path) ?? guessFormat(text) } : { from };
    const file = await readWebsites(text, source);
    for (const warning of file.warnings) await warn(io, warning);
    const confirmPublic = mayPrompt(io, flags) ? askFor(io, file) : undefined;
    const mode: ImportMode = { onConflict, isDryRun: dryRun === true, path, privacy, confirmPublic };
    const siteward = await connect(retriesOfMany);
    const run = await importFile(io, siteward, file, mode);
    if (run === undefined) return await note(io, "Nothing was changed.");
    const summary = `${summarizeRun(run)}${describePublic(run, file, mode)}`;
    await printRun(io, run, output, summary);
    const error = errorOfImport(run, mode, output.isText ? "" : ` ${summary}`);
    if (error !== undefined) throw error;
  },
};

/** Without a level in the file, websites become public, which a person can have overlooked. */
function askFor(io: Io, { refused }: WebsiteFile): (count: number) => Promise<boolean> {
  const wrong = refused.length.toLocaleString("en-US");
  const lines = refused.length === 0 ? "" : `Not valid and left out: ${wrong} (--dry-run lists them). `;
  return async (count) => {
    const websites = count === 1 ? "1 new website" : `${count.toLocaleString("en-US")} new websites`;
    return await promptForConfirmation(
      io,
      `${lines}${websites} will be public, because the file states no privacy (--privacy sets it). Import?`,
    );
  };
}

/** Says how many new websites are public because the file states no level. */
function describePublic({ results }: Run, { entries }: WebsiteFile, { privacy }: ImportMode): string {
  if (privacy !== undefined) return "";
  const unstated = new Set(entries.flatMap(({ settings, domain }) => (settings.privacy === undefined ? [domain] : [])));
  const created = results.filter(({ outcome }) => outcome === "created" || outcome === "would_create");
  const open = created.filter(({ domain = "" }) => unstated.has(domain)).length;
  if (open === 0) return "";
  const verb = created[0]?.outcome === "would_create" ? "would be" : open === 1 ? "is" : "are";
  return ` ${open.toLocaleString("en-US")} ${verb} public, because the file states no privacy.`;
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
