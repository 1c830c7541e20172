import { stripVTControlCharacters } from "node:util";
import { spawn } from "@lydell/node-pty";

/** A program in a real terminal. */
export interface Terminal extends Disposable {
  /** Returns everything written so far, without colors and cursor movements. */
  readonly screen: () => string;
  /** Returns everything written so far, unchanged. */
  readonly raw: () => string;
  /**
   * Waits until the screen contains this text.
   *
   * @throws Error if the program exits before, with what it wrote
   */
  readonly waitFor: (text: string) => Promise<void>;
  readonly type: (keys: string) => void;
  readonly exitCode: Promise<number>;
}

/** Where a program runs. */
export interface TerminalSettings {
  /** The entire environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The width of the terminal. */
  readonly columns?: number;
  /** The folder in which it runs; the default is that of the tests. */
  readonly folder?: string;
}

/**
 * Runs a program in a pseudo-terminal of the system.
 *
 * @param command the program and its arguments
 */
export function openTerminal(
  [program, ...args]: readonly [program: string, ...args: readonly string[]],
  { env, columns = 100, folder = process.cwd() }: TerminalSettings,
): Terminal {
  let written = "";
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const terminal = spawn(program, args, {
    cols: columns,
    rows: 40,
    cwd: folder,
    name: env["TERM"] ?? "xterm-256color",
    env: { ...env },
  });
  terminal.onData((text) => {
    written += text;
    notify();
  });
  let isOver = false;
  const exitCode = new Promise<number>((resolve) => {
    terminal.onExit((exit) => {
      isOver = true;
      resolve(exit.exitCode);
      notify();
    });
  });
  const screen = (): string => stripVTControlCharacters(written).replaceAll("\r\n", "\n");
  const waitFor = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const listener = (): void => {
        const isShown = screen().includes(text);
        if (!isShown && !isOver) return;
        listeners.delete(listener);
        if (isShown) resolve();
        else reject(new Error(`The program exited before ${JSON.stringify(text)} was on the screen:\n${screen()}`));
      };
      listeners.add(listener);
      listener();
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
