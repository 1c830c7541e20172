import { fileURLToPath } from "node:url";
import { cliBin } from "@siteward/testing/servers/built-programs";
import { type RunningProcess, startProcess } from "@siteward/testing/start-process";
import { type CommandLine, type RunResult, settings, wordsOf } from "./run-cli.ts";

/** Where compiled code is kept between runs: their home does not exist. */
const compileCache = fileURLToPath(new URL("../../node_modules/.cache/siteward", import.meta.url));

/** The input of a process: the environment apart from PATH, and standard input. */
export interface ProcessInput {
  readonly env?: Readonly<Record<string, string>>;
  /** Without it, standard input stays open. */
  readonly stdin?: string;
}

/** Starts the built CLI as a process without a terminal. Only what a process alone shows is tested so. */
export function startCli(commandLine: CommandLine, input: ProcessInput = {}): RunningProcess {
  return startProgram([process.execPath, cliBin, ...wordsOf(commandLine)], input);
}

/** Starts any program in the environment of the CLI. */
export function startProgram(
  command: readonly string[],
  { env = {}, stdin, folder: cwd }: ProcessInput & { readonly folder?: string } = {},
): RunningProcess {
  return startProcess(command, { env: cleanEnvironment(env), stdin, cwd });
}

/**
 * Runs the built CLI in a shell.
 *
 * @param redirection what follows the CLI, such as `>/dev/full` or `| head -1`
 * @returns the exit code of the CLI, even if it is not the last command
 */
export async function runInShell(
  commandLine: CommandLine,
  redirection: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RunResult> {
  const script = `{ { "$@"; echo "exit code $?" >&3; } ${redirection}; } 3>&2`;
  const command = ["/bin/sh", "-c", script, "sh", process.execPath, cliBin, ...wordsOf(commandLine)];
  const { stdout, stderr } = await startProgram(command, { env, stdin: "" }).ended;
  const [errors = "", code] = stderr.split(/exit code (\d+)\n/);
  return { exitCode: Number(code), stdout, stderr: errors };
}

/** Returns an environment in which no profile can be found by accident, and no key is stored in the keyring of the machine. */
export function cleanEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: "/nonexistent",
    NODE_COMPILE_CACHE: compileCache,
    NODE_NO_WARNINGS: "1",
    ...settings,
    ...env,
  };
}
