import type { CommandContext, ProcessSignal } from "./command-context.ts";

const signals: readonly ProcessSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

interface Interruption {
  /** Call this with what removes an incomplete file. */
  readonly watch: (remove: () => Promise<void>) => void;
  /** Call this when the work has ended. */
  readonly end: () => void;
}

/**
 * Removes an incomplete file at the first signal, and then ends the process as the signal does by itself. The thread that writes the file
 * cannot be interrupted, and an exit of Node.js would wait for it: 10 s for 10 s of work.
 *
 * @param outcome what the operator must know, in a sentence
 */
export function removeOnSignal(context: CommandContext, outcome: string): Interruption {
  let remove: (() => Promise<void>) | undefined;
  const unsubscribe = signals.map((signal) => context.onSignal(signal, () => void endBy(signal)));
  const end = () => {
    for (const leave of unsubscribe) leave();
  };
  const endBy = async (signal: ProcessSignal) => {
    // A second signal has its own effect.
    end();
    await remove?.();
    context.redraw?.("");
    context.note(`Interrupted. ${outcome}`);
    context.endBySignal(signal);
  };
  const watch = (removeFile: () => Promise<void>) => {
    remove = removeFile;
  };
  return { watch, end };
}
