import { extname } from "node:path";
import type { CallOptions, Siteward, Website } from "@siteward/sdk";
import { connect } from "../client/connect.ts";
import { CliError } from "../errors/cli-error.ts";
import { type ExportFormat, exportFormats } from "../export/format-export.ts";
import { presenceFlag } from "../flags/flag.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { mayPrompt, promptForConfirmation } from "../input/prompts.ts";
import { note } from "../output/notices.ts";
import { type Io, writeText } from "../process/io.ts";
import { startProgress } from "../progress/start-progress.ts";
import { formatOfPath } from "../rows/formats.ts";
import type { KeptLists } from "../site-file/kept-lists.ts";
import { problemText } from "../sync/file-error.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

const forceFlag = presenceFlag("--force", "replace a site file that is not an unedited export");

/** Sets up `siteward export`. */
export const exportWebsites: CommandSetup = (command, io) => {
  command
    .argument("[file]", "file to write; its extension chooses the format (default: standard output, as YAML)")
    .addOption(forceFlag.options[0])
    .addHelpText("after", `\n${fileHelp}\n${examples(exampleLines)}`)
    .action(async (path: string | undefined) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      if (flags.fields !== undefined)
        throw new CliError("usage", "--fields does not apply: an export has all settings.");
      const format = chooseFormat(flags, path);
      const mayReplace = forceFlag.read(command.opts()) === true || !isFile(path) || (await confirm(io, flags, path));
      if (!mayReplace) return await note(io, "Nothing was written.");
      const siteward = await connect(io, flags);
      const { formatExport } = await import("../export/format-export.ts");
      const kept = isFile(path) && format === "yaml" ? await readKept(path) : undefined;
      // At Ctrl-C, a file keeps its earlier content, and its draft is removed.
      using takeover = isFile(path) ? io.interruption.takeOver() : undefined;
      const options = { maxRetries: flags.retries ?? 5, signal: takeover?.signal };
      let count = 0;
      const counted = async function* (): AsyncGenerator<Website> {
        for await (const website of readWebsites(io, siteward, options)) {
          count += 1;
          yield website;
        }
      };
      await write(io, path, formatExport(counted(), format, kept));
      await note(io, `Exported ${count} ${count === 1 ? "website" : "websites"}${isFile(path) ? ` to ${path}` : ""}.`);
    });
};

const fileHelp = `\
The file contains every website with its settings, sorted by domain, and can be imported or planned again. \
It is replaced
as a whole. A site file is replaced without asking only if it is an unedited export, which its checksum shows. \
Any other
one needs a confirmation or --force, because its comments, defaults and anchors would be lost. Its lists are kept. If they cannot be read, \
nothing is written. Passwords cannot be \
read: a
website with one names an environment variable for it in password_env.`;

const exampleLines = [
  "siteward export siteward.yaml",
  "siteward export siteward.yaml --force",
  "siteward export websites.csv",
  "siteward export --output json > websites.json",
];

function chooseFormat({ output }: GlobalFlags, path: string | undefined): ExportFormat {
  const format = output ?? (isFile(path) ? formatOfFile(path) : "yaml");
  const known = exportFormats.find((name) => name === format);
  if (known !== undefined) return known;
  throw new CliError("usage", `An export cannot have the format ${format}. Use ${exportFormats.join(", ")}.`);
}

function formatOfFile(path: string): string {
  const extension = extname(path);
  const format = extension === "" ? "yaml" : formatOfPath(path);
  if (format !== undefined) return format;
  const known = exportFormats.map((name) => `.${name}`).join(", ");
  throw new CliError(
    "usage",
    `An export cannot have the extension ${extension}. Use ${known}, or choose the format with --output.`,
  );
}

/**
 * Returns whether the file may be replaced. Only a site file that is not an unedited export needs a confirmation.
 *
 * @throws CliError `confirmation_required` if nobody can answer
 */
async function confirm(io: Io, flags: GlobalFlags, path: string): Promise<boolean> {
  const { isEditedSiteFile } = await import("../export/is-edited-site-file.ts");
  if (!(await isEditedSiteFile(path))) return true;
  if (mayPrompt(io, flags)) {
    return await promptForConfirmation(io, `${path} is not an unedited export. Replace it? ${loss}`);
  }
  throw new CliError(
    "confirmation_required",
    `${path} is not an unedited export. ${loss}`,
    "To replace it, use --force.",
  );
}

const loss = "Its comments, defaults, anchors, and settings that were not applied would be lost.";

/** @throws CliError `input_refused` if the file has lists that cannot be kept: nothing else has their names */
async function readKept(path: string): Promise<KeptLists | undefined> {
  const { keepLists } = await import("../export/keep-lists.ts");
  const earlier = await keepLists(path);
  if (earlier === undefined || "kept" in earlier) return earlier?.kept;
  throw new CliError(
    "input_refused",
    `An export cannot keep the lists of ${path}: ${problemText(earlier.problem)}.`,
    "Fix the file, or remove it to export without its lists.",
  );
}

function isFile(path: string | undefined): path is string {
  return path !== undefined && path !== "-";
}

async function* readWebsites(io: Io, siteward: Siteward, options: CallOptions): AsyncGenerator<Website> {
  using progress = startProgress(io, { label: "Exporting" });
  const query = { sort_by: "domain", sort: "asc", per_page: 100 } as const;
  for await (const website of siteward.websites.list(query, options)) {
    progress.advance();
    yield website;
  }
}

async function write(io: Io, path: string | undefined, content: AsyncIterable<string>): Promise<void> {
  if (isFile(path)) {
    const { writeOutputFile } = await import("../files/write-output-file.ts");
    return await writeOutputFile(path, content);
  }
  for await (const text of content) await writeText(io.stdout, text);
}
