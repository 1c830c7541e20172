import { CommanderError } from "commander";
import { describeError } from "./output/describe-error.ts";
import { describeUsage } from "./output/describe-usage.ts";
import { failureJson, failureText } from "./output/failure-text.ts";
import { areMessagesJson } from "./output/formats.ts";
import type { OutputFlags } from "./output/output.ts";
import { type ExitCode, exitCodes } from "./process/exit-code.ts";
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
  const isJson = () => areMessagesJson(program.root.opts<OutputFlags>().output, io);
  io.facts.areMessagesJson = isJson;
  try {
    await program.run(argv);
    return io.facts.exitCode ?? exitCodes.done;
  } catch (error) {
    return withoutVerdict(await report(error, io, program, isJson()), argv, program);
  }
}

/** Prints an error on stderr, as JSON if that is requested. Returns the exit code. */
async function report(error: unknown, io: Io, { calledWords }: Program, isJson: boolean): Promise<ExitCode> {
  if (isReaderGone(error)) return exitCodes.done;
  const isUsage = error instanceof CommanderError;
  // Commander has printed the help instead.
  if (isUsage && error.code === "commander.help" && !isJson) return exitCodes.refused;
  const failure = isUsage ? describeUsage(error, calledWords()) : await describeError(error, io.facts);
  const { next = failure.code === "usage" ? `See \`${calledWords()} --help\`.` : undefined } = failure;
  const complete = { ...failure, next };
  await writeMessage(io, isJson ? failureJson(complete) : failureText(complete, takesColor(io.stderr, io.env)));
  return complete.exitCode;
}

/** Returns the exit code of an error, which with `plan --detailed-exitcode` is not that of a result. */
function withoutVerdict(exitCode: ExitCode, argv: readonly string[], program: Program): ExitCode {
  const mayBeResult = exitCode !== exitCodes.done && exitCode !== exitCodes.interrupted;
  const isDetailed = program.calledWords() === "siteward plan" && argv.includes("--detailed-exitcode");
  return isDetailed && mayBeResult ? exitCodes.failed : exitCode;
}
