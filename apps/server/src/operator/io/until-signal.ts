import type { Terminal, TerminalSignal } from "./terminal.ts";

/** Resolves at the first of these signals. Each has its own effect again once it has come, so that a second one ends. */
export async function untilSignal(terminal: Terminal, signals: readonly TerminalSignal[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of signals) {
    const unsubscribe = terminal.onSignal(signal, () => {
      unsubscribe();
      resolve();
    });
  }
  await promise;
}
