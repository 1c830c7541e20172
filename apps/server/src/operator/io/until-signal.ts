import type { CommandContext, ProcessSignal } from "./command-context.ts";

/**
 * Resolves at the first of these signals. Once a signal has come, it has its own effect again, so a second one ends the
 * process.
 */
export async function untilSignal(context: CommandContext, signals: readonly ProcessSignal[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of signals) {
    const unsubscribe = context.onSignal(signal, () => {
      unsubscribe();
      resolve();
    });
  }
  await promise;
}
