import { stripVTControlCharacters } from "node:util";
import { spawn } from "@lydell/node-pty";
import { binPath, cleanEnvironment } from "./run-cli.ts";

/** A run of the CLI in a real terminal. */
export interface Terminal extends Disposable {
  /** Returns everything written so far, without colors and cursor movements. */
  readonly screen: () => string;
  /** Returns everything written so far, unchanged. */
  readonly raw: () => string;
  /** Waits until the screen contains this text. */
  readonly waitFor: (text: string) => Promise<void>;
  readonly type: (keys: string) => void;
  readonly exitCode: Promise<number>;
}

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
  { env = {}, columns = 100, folder = process.cwd() }: Omit<TerminalInput, "program"> = {},
): Terminal {
  let written = "";
  const listeners = new Set<() => void>();
  const terminal = spawn(file, [...args], {
    cols: columns,
    rows: 40,
    cwd: folder,
    name: env["TERM"] ?? "xterm-256color",
    env: cleanEnvironment(env),
  });
  terminal.onData((text) => {
    written += text;
    for (const listener of listeners) listener();
  });
  const screen = (): string => stripVTControlCharacters(written).replaceAll("\r\n", "\n");
  const waitFor = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const listener = (): void => {
        if (!screen().includes(text)) return;
        listeners.delete(listener);
        resolve();
      };
      listeners.add(listener);
      listener();
    });
  const exitCode = new Promise<number>((resolve) => {
    terminal.onExit((exit) => resolve(exit.exitCode));
  });
  return {
    screen,
    raw: () => written,
    waitFor,
    type: (keys) => terminal.write(keys),
    exitCode,
    [Symbol.dispose]: () => terminal.kill("SIGKILL"),
  };
}
