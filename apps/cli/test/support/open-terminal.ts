import { stripVTControlCharacters } from "node:util";
import { spawn } from "@lydell/node-pty";
import { binPath, cleanEnvironment } from "./run-cli.ts";

/** A run of the tool in a real terminal. */
export interface Terminal extends Disposable {
  /** Everything written so far, colours and cursor movements left out. */
  readonly screen: () => string;
  /** Everything written so far, as it was written. */
  readonly raw: () => string;
  /** Waits until this text is on the screen. */
  readonly waitFor: (text: string) => Promise<void>;
  readonly type: (keys: string) => void;
  readonly exitCode: Promise<number>;
}

/** What a run in a terminal gets besides its arguments. */
export interface TerminalInput {
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
}

/** Runs the tool in a real terminal: a pseudo-terminal of the system. */
export function openTerminal(args: readonly string[], { env = {}, columns = 100 }: TerminalInput = {}): Terminal {
  let written = "";
  const listeners = new Set<() => void>();
  const terminal = spawn(process.execPath, [binPath, ...args], {
    cols: columns,
    rows: 40,
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
