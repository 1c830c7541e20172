import { type Io, mayDraw } from "../process/io.ts";
import type { Drawing } from "./draw-progress.ts";

/** Work that is shown on the terminal while it takes long. It disappears when it is disposed. */
export interface Progress extends Disposable {
  /** Counts what is done. */
  readonly advance: (count?: number) => void;
  /** Shows what is being done now, such as the name of a website. */
  readonly describe: (text: string) => void;
}

/** What is shown of a piece of work. */
interface Work {
  /** What is being done, such as "Importing". */
  readonly label: string;
  /** How many steps there are; if undefined, a spinner is shown instead of a bar. */
  readonly total?: number | undefined;
}

/** Work that takes less time than this is not shown. */
const showAfterMs = 1000;

/** The work in progress, in the order in which it was started. Only the first is shown: a bar is worth more than a step of it. */
const started = new Set<object>();

/**
 * Starts to show progress on stderr, once a second has passed: a bar with count, rate and time left if the total is known,
 * else a spinner. Shows nothing if stderr is not a terminal that can be drawn on, or if other progress is shown. What draws
 * it is loaded only then, and it reads no input and handles no signal.
 */
export function startProgress(io: Io, work: Work): Progress {
  const progress = { done: 0, detail: "" };
  let drawing: Drawing | undefined;
  const startedMs = performance.now();
  const show = async (): Promise<void> => {
    const { drawProgress } = await import("./draw-progress.ts");
    if (!started.has(progress)) return;
    drawing = drawProgress(io, () => ({
      ...work,
      ...progress,
      elapsedMs: performance.now() - startedMs,
      isShown: started.values().next().value === progress,
    }));
  };
  const timer = mayDraw(io) ? setTimeout(show, showAfterMs).unref() : undefined;
  started.add(progress);
  return {
    advance: (count = 1) => {
      progress.done += count;
    },
    describe: (text) => {
      progress.detail = text;
    },
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      started.delete(progress);
      drawing?.[Symbol.dispose]();
    },
  };
}
