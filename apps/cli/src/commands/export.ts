import type { Stats } from "node:fs";
import { extname } from "node:path";
import { retriesOfMany } from "../client/connect.ts";
import { mayPrompt, promptForConfirmation } from "../client/prompts.ts";
import { type ExportFormat, exportFormats } from "../files/format-export.ts";
import { formatOfPath } from "../files/formats.ts";
import { readText } from "../files/read-text.ts";
import type { EarlierFile } from "../files/site/keep-lists.ts";
import { note } from "../output/notices.ts";
import { CliError } from "../process/cli-error.ts";
import { writeTexts } from "../process/io.ts";
import { problemText } from "../sync/problems.ts";
import { readPages } from "../websites/read-pages.ts";
import { joinChoices } from "../websites/settings.ts";
import type { Call, CommandDefinition } from "./command.ts";

interface Flags {
  readonly force?: true;
}

/** `siteward export`. */
export const command: CommandDefinition<Flags> = {
  declare: (command) =>
    command
      .argument("[file]", "file to write; its extension chooses the format (default: standard output, as YAML)")
      .option("--force", "replace a file that is not an unedited export"),
  help: `\
The file contains every website with its settings, sorted by domain, and can be
imported or planned again. It is replaced as a whole, without asking only if
it is empty, or a site file whose checksum shows that nobody edited the export.
Others need a confirmation or --force. A link is not followed.
The lists of a site file are kept. If they cannot be read, nothing is written.
The service never returns a password: for a website that has one, the file names
an environment variable in password_env.`,
  examples: [
    "siteward export siteward.yaml",
    "siteward export siteward.yaml --force",
    "siteward export websites.csv",
    "siteward export --output json > websites.json",
  ],
  run: async (call, given: string | undefined) => {
    const { io, flags } = call;
    if (flags.fields !== undefined) throw new CliError("usage", "--fields does not apply: an export has all settings.");
    const path = given === "-" ? undefined : given;
    const format = chooseFormat(flags.output, path);
    if (path === undefined) return await writeExport(call, { path, format });
    const earlier = await readEarlier(call, path);
    if (flags.force === true || (await mayReplace(call, path, earlier)))
      await writeExport(call, { path, format, earlier });
    else await note(io, "Nothing was written.");
  },
};

function chooseFormat(output: string | undefined, path: string | undefined): ExportFormat {
  const extension = extname(path ?? "");
  const format = output ?? (path === undefined || extension === "" ? "yaml" : formatOfPath(path));
  const known = exportFormats.find((name) => name === format);
  if (known !== undefined) return known;
  const fault = format === undefined ? `the extension ${extension}` : `the format ${format}`;
  const choices = joinChoices(exportFormats);
  throw new CliError("usage", `An export cannot have ${fault}. Use ${choices}, as the extension or with --output.`);
}

interface Target {
  /** Undefined for standard output. */
  readonly path: string | undefined;
  readonly format: ExportFormat;
  readonly earlier?: Earlier | undefined;
}

/** What is at the path already. */
interface Earlier {
  readonly found: Stats;
  /** Undefined if it cannot be read. A pipe or a device is never read. */
  readonly text: string | undefined;
}

async function readEarlier({ io }: Call, path: string): Promise<Earlier | undefined> {
  const { findEarlier } = await import("../output/write-file.ts");
  const found = await findEarlier(path);
  return found && { found, text: found.isFile() ? await readText(io, path).catch(() => undefined) : undefined };
}

async function writeExport({ io, flags, connect }: Call, { path, format, earlier }: Target): Promise<void> {
  const siteward = await connect(retriesOfMany);
  const { formatExport } = await import("../files/format-export.ts");
  const text = format === "yaml" ? earlier?.text : undefined;
  const kept = path === undefined || text === undefined ? undefined : await keepLists(path, text);
  // At Ctrl-C, a file keeps its earlier content, and its draft is removed.
  using takeover = path === undefined ? undefined : io.interruption.takeOver();
  const query = { sort_by: "domain", sort: "asc", per_page: 100 } as const;
  const reading = { query, label: "Exporting", signal: takeover?.signal };
  const { websites, count } = await readPages(io, siteward, reading);
  const content = formatExport(websites, format, { earlier: kept, ascii: flags.ascii === true });
  if (path === undefined) await writeTexts(io.stdout, content);
  else {
    const { writeOutputFile } = await import("../output/write-file.ts");
    await writeOutputFile(path, content, earlier?.found);
  }
  const place = path === undefined ? "" : ` to ${path}`;
  await note(io, `Exported ${count()} ${count() === 1 ? "website" : "websites"}${place}.`);
}

/**
 * Returns whether the file may be replaced.
 *
 * @throws CliError `confirmation_required` if nobody can answer
 */
async function mayReplace({ io, flags }: Call, path: string, earlier: Earlier | undefined): Promise<boolean> {
  if (earlier === undefined || !earlier.found.isFile()) return true;
  const { isUneditedExport } = await import("../files/site/format.ts");
  // A file that cannot be read may have been edited. An empty one has nothing to lose.
  if (earlier.text?.trim() === "" || isUneditedExport(earlier.text ?? "")) return true;
  const isSiteFile = ["yaml", undefined].includes(formatOfPath(path));
  if (mayPrompt(io, flags)) {
    const fault = isSiteFile ? `It was edited, or it is not an export. ${loss}` : unknown;
    return await promptForConfirmation(io, `Replace ${path}? ${fault}`);
  }
  const fault = isSiteFile ? `${path} is not an unedited export. ${loss}` : `${path} exists. ${unknown}`;
  throw new CliError("confirmation_required", fault, "To replace it, use --force.");
}

const loss = "Its comments, defaults, anchors, and settings that were not applied would be lost.";
const unknown = "Nothing shows whether it was edited.";

/** @throws CliError `input_refused` if the file has lists that cannot be kept: nothing else has their names */
async function keepLists(path: string, text: string): Promise<EarlierFile> {
  const { readEarlierSiteFile } = await import("../files/site/keep-lists.ts");
  const earlier = await readEarlierSiteFile(text);
  if (!("problem" in earlier)) return earlier;
  throw new CliError(
    "input_refused",
    `An export cannot keep the lists of ${path}: ${problemText(earlier.problem)}.`,
    "Fix the file, or remove it to export without its lists.",
  );
}
