import { openTerminal, type Terminal } from "@siteward/testing/open-terminal";
import { readTerminalScreen, type TerminalScreen } from "@siteward/testing/terminal-screen";
import { cliBin } from "./built-server.ts";

/** A run of the built CLI in a real terminal. */
export interface CliTerminal extends Terminal {
  /** Waits until the CLI exits, and returns what it left behind. */
  readonly finish: () => Promise<Transcript>;
}

/** What a run of the CLI in a terminal left behind. */
export interface Transcript {
  readonly exitCode: number;
  /** Everything that the CLI wrote, unchanged. */
  readonly raw: string;
  readonly screen: TerminalScreen;
  /** The lines of the screen. */
  readonly text: string;
  /** What is different in the terminal from before the run, such as a hidden cursor. */
  readonly leftovers: readonly string[];
}

/** Where the CLI runs. */
export interface CliTerminalSettings {
  /** The environment, apart from PATH. No setting of the machine reaches the run. */
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly folder?: string;
}

/** After the CLI, the shell prints a mark and the settings of the terminal. Ctrl-C does not end the shell. */
const script = `trap : INT; "$@"; code=$?; printf '\\036'; stty -a; exit $code`;
const mark = "\u001e";

/** Runs the built CLI in a pseudo-terminal of the system. */
export function openCliTerminal(args: readonly string[], settings: CliTerminalSettings = {}): CliTerminal {
  const { env = {}, columns = 80, ...rest } = settings;
  const terminal = openTerminal(["/bin/sh", "-c", script, "sh", process.execPath, cliBin, ...args], {
    ...rest,
    columns,
    env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", SITEWARD_KEY_STORE: "file", ...env },
  });
  const finish = async (): Promise<Transcript> => {
    const exitCode = await terminal.exitCode;
    const [raw = "", modes = ""] = terminal.raw().split(mark);
    const screen = await readTerminalScreen(raw, columns);
    return { exitCode, raw, screen, text: screen.lines.join("\n"), leftovers: findLeftovers(raw, modes) };
  };
  return { ...terminal, finish };
}

/** Runs the built CLI in a terminal until it exits. */
export async function runInTerminal(args: readonly string[], settings: CliTerminalSettings = {}): Promise<Transcript> {
  using terminal = openCliTerminal(args, settings);
  return await terminal.finish();
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
