import { CommanderError } from "commander";
import { describeError, type Failure } from "./error-report/describe-error.ts";
import { describeUsage } from "./error-report/describe-usage.ts";
import { failureJson, failureText } from "./error-report/failure-text.ts";
import { wantsJson } from "./flags/global-flags.ts";
import { type ExitCode, exitCodes } from "./process/exit-code.ts";
import { type Io, takesColor, writeText } from "./process/io.ts";
import { createProgram, type Program } from "./program.ts";

/**
 * Runs the CLI. Every error ends here: it is printed on stderr and decides the exit code.
 *
 * @param argv the arguments, without the names of the runtime and the script
 */
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  const program = createProgram(io);
  try {
    await program.run(argv);
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    if (isBrokenPipe(error)) return exitCodes.done;
    return await report(error, { argv, io, program });
  }
}

/** Whether the reader of the result went away, as with `| head`. It has what it needs, so this is not an error. */
function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}

interface Run {
  readonly argv: readonly string[];
  readonly io: Io;
  readonly program: Program;
}

async function report(error: unknown, { argv, io, program }: Run): Promise<ExitCode> {
  const isJson = wantsJson(argv, io);
  const isCommandMissing = error instanceof CommanderError && error.code === "commander.help";
  if (isCommandMissing && !isJson) {
    await writeText(io.stderr, program.missingCommandHelp());
    return exitCodes.refused;
  }
  const failure =
    error instanceof CommanderError ? describeUsage(error, program.calledWords()) : await describeError(error);
  const complete = { ...failure, next: failure.next ?? nextOfUsage(failure, program) };
  await writeText(io.stderr, isJson ? failureJson(complete) : failureText(complete, takesColor(io.stderr, io.env)));
  return complete.exitCode;
}

function nextOfUsage({ code }: Failure, program: Program): string | undefined {
  return code === "usage" ? `See \`${program.calledWords()} --help\`.` : undefined;
}
