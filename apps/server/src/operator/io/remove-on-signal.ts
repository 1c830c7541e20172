import type { CommandContext, ProcessSignal } from "./command-context.ts";

const signals: readonly ProcessSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

interface Interruption {
  /** Call this with what removes an incomplete file, and returns whether there was one. */
  readonly watch: (remove: () => Promise<boolean>) => void;
  /** Waits for the work. It waits forever after a signal, which ends the process: what then fails is not said. */
  readonly waitFor: <Result>(work: Promise<Result>) => Promise<Result>;
}

/**
 * Removes an incomplete file at the first signal, and then ends the process as the signal does by itself. The thread that writes the file
 * cannot be interrupted, and an exit of Node.js would wait for it: 10 s for 10 s of work.
 *
 * @param outcome what the operator must know if the file was incomplete, in a sentence
 */
export function removeOnSignal(context: CommandContext, outcome: string): Interruption {
  let remove: (() => Promise<boolean>) | undefined;
  let isInterrupted = false;
  const unsubscribe = signals.map((signal) => context.onSignal(signal, () => void endBy(signal)));
  const end = () => {
    for (const leave of unsubscribe) leave();
  };
  const endBy = async (signal: ProcessSignal) => {
    isInterrupted = true;
    // A second signal has its own effect.
    end();
    const isComplete = (await remove?.()) === false;
    context.redraw?.("");
    context.note(isComplete ? "Interrupted." : `Interrupted. ${outcome}`);
    context.endBySignal(signal);
  };
  return {
    watch(removeFile) {
      remove = removeFile;
    },
    async waitFor(work) {
      try {
        return await work;
      } finally {
        if (isInterrupted) await new Promise<never>(() => undefined);
        end();
      }
    },
  };
}
