import type { CommandContext, ProcessSignal } from "./command-context.ts";

/** Resolves at the first of these signals. Each has its own effect again once it has come, so that a second one ends. */
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
