import { Command } from "commander";
import { checks } from "../doctor/checks.ts";
import { examine } from "../doctor/examine.ts";
import { openPatient } from "../doctor/open-patient.ts";
import { printDiagnoses, summarize } from "../doctor/print-diagnoses.ts";
import type { CommandContext } from "../io/command-context.ts";
import { CommandError } from "../io/command-error.ts";
import { addSettingFlags, readSettingFlags, type SettingOptions } from "../options/setting-flags.ts";

interface DoctorOptions extends SettingOptions {
  readonly json?: boolean;
  readonly strict?: boolean;
}

/** Longer than a database may take to answer, or to be opened, by its URL's defaults. */
const maxWaitMs = 10_000;

/** Returns the command `doctor`, which checks an installation and changes nothing. */
export function doctorCommand(context: CommandContext): Command {
  return addSettingFlags(
    new Command("doctor").description("check the settings, the database and this machine, and change nothing"),
  )
    .option("--strict", "fail for a warning too")
    .option("--json", "print only JSON on standard output")
    .action((options: DoctorOptions) => runDoctor(context, options));
}

async function runDoctor(context: CommandContext, options: DoctorOptions): Promise<void> {
  const patient = openPatient(context, readSettingFlags(options), Date.now);
  const diagnoses = await examine(patient, { checks, maxWaitMs }).finally(() => patient.close());
  printDiagnoses(context, options, diagnoses);
  // The URL may contain a password, so no command repeats it.
  const namesCommand = diagnoses.some(({ fix }) => fix?.includes("`siteward-server "));
  if (options["databaseUrl"] !== undefined && namesCommand) {
    context.note("Run the commands of siteward-server above with the same --database-url.");
  }
  const summary = summarize(diagnoses, options);
  if (summary !== undefined) throw new CommandError(summary);
}
