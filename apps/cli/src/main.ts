import { CommanderError } from "commander";
import { describeError, type Failure } from "./output/describe-error.ts";
import { describeUsage } from "./output/describe-usage.ts";
import { failureJson, failureText } from "./output/failure-text.ts";
import { areMessagesJson } from "./output/formats.ts";
import type { OutputFlags } from "./output/output.ts";
import { type ExitCode, ExitWith, exitCodes } from "./process/exit-code.ts";
import { type Io, takesColor, writeMessage } from "./process/io.ts";
import { isReaderGone } from "./process/write-error.ts";
import { createProgram, type Program } from "./program.ts";

/**
 * Runs the CLI. Every error ends here: it is printed on stderr and decides the exit code.
 *
 * @param argv the arguments, without the names of the runtime and the script
 */
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  const program = createProgram(io);
  io.facts.areMessagesJson = () => areMessagesJson(program.root.opts<OutputFlags>().output, io);
  try {
    await program.run(argv);
    return exitCodes.done;
  } catch (error) {
    if (error instanceof ExitWith) return error.exitCode;
    return await report(error, { argv, io, program });
  }
}

/** What was run, for the report of an error. */
interface Run {
  readonly argv: readonly string[];
  readonly io: Io;
  /** Undefined if the text was printed without it. */
  readonly program?: Program;
}

/** Prints an error on stderr, as JSON if that is requested. Returns the exit code. */
export async function report(error: unknown, { argv, io, program }: Run): Promise<ExitCode> {
  if (isReaderGone(error)) return exitCodes.done;
  const isJson = areMessagesJson(program?.root.opts<OutputFlags>().output, io);
  const isCommandMissing = error instanceof CommanderError && error.code === "commander.help";
  if (isCommandMissing && !isJson) {
    await writeMessage(io, program?.missingCommandHelp() ?? "");
    return exitCodes.refused;
  }
  const failure =
    error instanceof CommanderError
      ? describeUsage(error, program?.calledWords() ?? "siteward")
      : await describeError(error, io.facts);
  const complete = { ...failure, next: failure.next ?? nextOfUsage(failure, program) };
  if (isJson) await writeMessage(io, failureJson(complete));
  else await writeMessage(io, failureText(complete, takesColor(io.stderr, io.env)));
  return withoutVerdict(complete.exitCode, argv, program);
}

/** Returns the exit code of an error of a command whose result has exit codes too, so that no error ends as a result does. */
function withoutVerdict(exitCode: ExitCode, argv: readonly string[], program: Program | undefined): ExitCode {
  const isCheck = program?.calledWords() === "siteward websites check";
  if (isCheck) return exitCode === exitCodes.failed ? exitCodes.notJudged : exitCode;
  return argv.includes("--detailed-exitcode") && exitCode !== exitCodes.interrupted ? exitCodes.failed : exitCode;
}

function nextOfUsage({ code }: Failure, program: Program | undefined): string | undefined {
  return code === "usage" && program ? `See \`${program.calledWords()} --help\`.` : undefined;
}
