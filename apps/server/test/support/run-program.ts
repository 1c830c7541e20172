import { serverBin } from "@siteward/testing/servers/built-programs";
import { type ProcessResult, type RunningProcess, startProcess } from "@siteward/testing/start-process";

/** The program in a process of its own. */
export interface RunningProgram extends RunningProcess {
  /** The log on standard error so far, without lines for a person and the line that is still being written. */
  logEntries(): Readonly<Record<string, unknown>>[];
}

/**
 * Runs `siteward-server` with these arguments to its end.
 *
 * @param stdin what it reads on standard input
 */
export async function runProgram(
  words: readonly string[],
  env: Record<string, string>,
  stdin?: string,
): Promise<ProcessResult> {
  await using running = startProgram(words, env, { stdin });
  return await running.ended;
}

/** Where a program starts. */
interface Start {
  readonly stdin?: string | undefined;
  /** A command line in front of its own. */
  readonly wrapper?: readonly string[];
}

/** Starts `siteward-server` with these arguments. The environment contains only what is given. */
export function startProgram(
  words: readonly string[],
  env: Record<string, string>,
  { stdin = "", wrapper = [] }: Start = {},
): RunningProgram {
  const running = startProcess([...wrapper, process.execPath, serverBin, ...words], { env, stdin });
  return {
    ...running,
    logEntries() {
      const { stderr } = running.written;
      const lines = stderr.slice(0, stderr.lastIndexOf("\n") + 1).split("\n");
      return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
    },
  };
}

/**
 * Starts `siteward-server` as a user who is bound by the permissions of files. Root is not, so as root, it runs without the right to
 * pass over them.
 */
export function startUnprivileged(words: readonly string[], environment: Record<string, string>): RunningProgram {
  const wrapper = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [];
  return startProgram(words, { PATH: process.env["PATH"] ?? "", ...environment }, { wrapper });
}
