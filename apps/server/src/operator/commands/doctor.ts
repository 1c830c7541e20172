import { safeText } from "@siteward/start/safe-text";
import { Command } from "commander";
import { examineConfig, type Flags } from "../../config.ts";
import { inspectDatabase } from "../../storage/inspect-database.ts";
import type { DatabaseContents } from "../../storage/interface/inspection.ts";
import { type CommandContext, CommandError } from "../command.ts";
import { databaseSetting, readReplicas } from "../database.ts";
import { type Diagnosis, examine } from "../doctor.ts";
import { printResult, renderCount } from "../output.ts";
import { addSettingFlags } from "../values.ts";

type DoctorOptions = Flags & { readonly json?: boolean; readonly strict?: boolean };

/** Returns the command `doctor`, which checks an installation and changes nothing. */
export function doctorCommand(context: CommandContext): Command {
  return addSettingFlags(
    new Command("doctor").description("check the settings, the database and this machine, and change nothing"),
  )
    .option("--strict", "fail for a warning too")
    .action((options: DoctorOptions) => runDoctor(context, options));
}

async function runDoctor(context: CommandContext, options: DoctorOptions): Promise<void> {
  const { config, faults } = examineConfig(context.environment, options);
  const database = { databaseUrl: config.databaseUrl, setting: databaseSetting };
  const inspecting = inspectDatabase(database, readReplicas(config));
  const opened = await inspecting.catch(() => undefined);
  let contents: Promise<DatabaseContents> | undefined;
  // The database is read once, when the first check needs it.
  const read = () => {
    contents ??= inspecting.then((inspection) => inspection.read());
    return contents;
  };
  const found = await examine({ config, faults, inspect: () => inspecting, read });
  await opened?.close();
  print(context, options, found);
  // The URL may contain a password, so no command repeats it.
  if (options.databaseUrl !== undefined && found.some(({ fix }) => fix?.includes("`siteward-server "))) {
    context.note("Run the commands of siteward-server above with the same --database-url.");
  }
  const summary = summarize(found, options);
  if (summary !== undefined) throw new CommandError(summary);
}

/** Prints one line for each finding. What another finding explains, or does not apply, is only in the JSON. */
function print(context: CommandContext, options: DoctorOptions, data: readonly Diagnosis[]): void {
  const shown = data.filter(({ status }) => status !== "skipped");
  const lines = shown.map(({ status, code, what, fix }) =>
    safeText(`${status.padEnd(7)}  ${code.padEnd(11)}  ${what}  ${fix ?? ""}`).trimEnd(),
  );
  printResult(context, options, { data }, lines);
}

/** Says in one line why the command fails. Undefined if it succeeds. */
function summarize(found: readonly Diagnosis[], { strict = false }: DoctorOptions): string | undefined {
  const count = (status: Diagnosis["status"]) => found.filter((one) => one.status === status).length;
  const [failures, warnings] = [count("failure"), count("warning")];
  if (failures === 0 && !(strict && warnings > 0)) return undefined;
  const unchecked = found.filter(({ depends_on }) => depends_on !== null).map(({ code }) => code);
  const summary = `Doctor found ${renderCount(failures, "failure")} and ${renderCount(warnings, "warning")}.`;
  return unchecked.length === 0 ? summary : `${summary} Not checked because of a failure: ${unchecked.join(", ")}.`;
}
