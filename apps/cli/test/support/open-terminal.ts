import { type Terminal as AnyTerminal, openTerminal as openProgram } from "@siteward/testing/open-terminal";
import { cliBin } from "@siteward/testing/servers/built-programs";
import { readTerminalScreen } from "@siteward/testing/terminal-screen";
import { type CommandLine, type Transcript, wordsOf } from "./run-cli.ts";
import { cleanEnvironment } from "./start-cli.ts";

/** A program in a real terminal. */
export interface Terminal extends AnyTerminal {
  /** Waits until it exits, and returns what it left behind. */
  readonly finish: () => Promise<FinishedTranscript>;
}

/** What a run in a real terminal left behind. */
interface FinishedTranscript extends Transcript {
  /** What is different in the terminal from before the run, such as a hidden cursor. */
  readonly leftovers: readonly string[];
}

/** The input of a run in a terminal, apart from its arguments. */
export interface TerminalInput {
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  /** The folder in which it runs; the default is that of the tests. */
  readonly folder?: string;
}

/** After the program, the shell prints a mark and the settings of the terminal. Ctrl-C does not end the shell. */
const script = `trap : INT; "$@"; code=$?; printf '\\036'; stty -a; exit $code`;
const mark = "\u001e";

/** Runs the built CLI in a pseudo-terminal of the system. */
export function openTerminal(commandLine: CommandLine, input: TerminalInput = {}): Terminal {
  return runInTerminal(["/bin/sh", "-c", script, "sh", process.execPath, cliBin, ...wordsOf(commandLine)], input);
}

/** Runs any program in a pseudo-terminal of the system. */
export function runInTerminal(
  command: readonly [string, ...string[]],
  { env = {}, columns = 100, ...settings }: TerminalInput = {},
): Terminal {
  const terminal = openProgram(command, { ...settings, columns, env: cleanEnvironment(env) });
  const finish = async (): Promise<FinishedTranscript> => {
    const exitCode = await terminal.exitCode;
    const [raw = "", modes = ""] = terminal.raw().split(mark);
    const screen = await readTerminalScreen(raw, columns);
    return { exitCode, raw, screen, text: `${screen.lines.join("\n")}\n`, leftovers: findLeftovers(raw, modes) };
  };
  return { ...terminal, finish };
}

/** What a shell needs: it sees each key, lines are edited, Ctrl-C is a signal, and a line break returns the cursor. */
const neededModes = ["echo", "icanon", "isig", "icrnl", "opost", "onlcr"];
const cursorMode = "25";

function findLeftovers(raw: string, modes: string): readonly string[] {
  const set = modes.split(/[\s;]+/);
  const lost = neededModes.filter((mode) => !set.includes(mode)).map((mode) => `-${mode}`);
  // DECSET and DECRST: the last one of each mode counts. Only the cursor is on by default.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control sequences
  const last = new Map([...raw.matchAll(/\u001b\[\?(\d+)([hl])/g)].map(([, mode, state]) => [mode, state]));
  const changed = [...last].filter(([mode, state]) => state !== (mode === cursorMode ? "h" : "l"));
  return [...lost, ...changed.map(([mode, state]) => `?${mode}${state}`)];
}
