import { AppError } from "@siteward/service";
import { Command, CommanderError } from "commander";
import { version } from "../own-programs.ts";
import { InstallationError } from "../storage/interface/installation-error.ts";
import { type CommandContext, CommandError } from "./command.ts";
import { accountsCommand } from "./commands/accounts.ts";
import { auditCommand } from "./commands/audit.ts";
import { backupCommand, restoreCommand } from "./commands/backups.ts";
import { copyCommand } from "./commands/copy.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { keysCommand } from "./commands/keys.ts";
import { migrateCommand } from "./commands/migrate.ts";
import { startCommand } from "./commands/start.ts";

/** The operator's commands. To add one, add a file and a line here. */
const commands = [
  startCommand,
  migrateCommand,
  copyCommand,
  backupCommand,
  restoreCommand,
  accountsCommand,
  keysCommand,
  auditCommand,
  doctorCommand,
];

/**
 * Runs one command line.
 *
 * @returns the exit code: 0 for success, 1 for a failure, 2 for a command line or a setting that is not valid
 */
export async function runProgram(commandLine: readonly string[], process: CommandContext): Promise<number> {
  // A word that an error repeats can be an API key.
  const note = (line: string) => process.note(line.replace(/(swk_\w{8})\w+/g, "$1…"));
  const context = { ...process, note };
  const program = new Command("siteward-server")
    .description("Run the Siteward service and manage its accounts and API keys.")
    .version(version);
  for (const command of commands) program.addCommand(command(context));
  prepare(program, context);
  try {
    await program.parseAsync(commandLine, { from: "user" });
    return 0;
  } catch (error) {
    return report(error, context);
  }
}

/** Lets a command throw instead of exiting, and gives it what each has. */
function prepare(command: Command, context: CommandContext): void {
  command
    .exitOverride()
    .showHelpAfterError("Add --help to show the usage of this command.")
    .configureOutput({
      writeOut: (text) => context.print(text.trimEnd()),
      writeErr: (text) => context.note(text.trimEnd()),
    });
  if (command.commands.length === 0) command.option("--json", "print only JSON on standard output");
  for (const inner of command.commands) prepare(inner, context);
}

function report(error: unknown, context: CommandContext): number {
  // Commander has already written its message. A request for help or the version is not a failure.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  context.note(describeFailure(error));
  if (error instanceof CommandError) return error.exitCode;
  return error instanceof InstallationError && error.code === "invalid_url" ? 2 : 1;
}

/** Returns one line for an expected failure, and the stack of any other error, which is a fault of the program. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AppError) return error.detailForOperator;
  if (error instanceof InstallationError) return `${error.message} ${error.remedy}`.trimEnd();
  // Errors of the system have a code, such as `EACCES`, and so do errors of the database driver.
  return error instanceof CommandError || "code" in error ? error.message : (error.stack ?? error.message);
}
