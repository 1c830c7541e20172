import { openTerminal as openProgram, type Terminal } from "@siteward/testing/open-terminal";
import { binPath, cleanEnvironment } from "./run-cli.ts";

export type { Terminal } from "@siteward/testing/open-terminal";

/** The input of a run in a terminal, apart from its arguments. */
export interface TerminalInput {
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  /** The file that Node runs; the default is the CLI. */
  readonly program?: string;
  /** The folder in which it runs; the default is that of the tests. */
  readonly folder?: string;
}

/** Runs the CLI in a pseudo-terminal of the system. */
export function openTerminal(args: readonly string[], { program = binPath, ...input }: TerminalInput = {}): Terminal {
  return runInTerminal(process.execPath, [program, ...args], input);
}

/** Runs any program in a pseudo-terminal of the system. */
export function runInTerminal(
  file: string,
  args: readonly string[],
  { env = {}, ...settings }: Omit<TerminalInput, "program"> = {},
): Terminal {
  return openProgram([file, ...args], { ...settings, env: cleanEnvironment(env) });
}
