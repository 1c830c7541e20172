import { type Io, mayDraw } from "../process/io.ts";
import type { Work, WorkInProgress } from "./work.ts";

/** Work that is shown while it takes long. It disappears from the terminal when it is disposed. */
export interface Progress extends Disposable {
  /** Counts what is done. */
  readonly advance: (count?: number) => void;
  /** Shows what is being done now, such as the name of a website. */
  readonly describe: (text: string) => void;
}

/** Work that takes less time than this is not drawn. */
const drawAfterMs = 1000;
/** Without a terminal to draw on, work that takes less time than this is not printed. */
const printAfterMs = 10_000;
/** Works with less time than this between them count as one, so that the line does not disappear between them. */
const maxGapMs = 1000;

/** The work in progress, in the order in which it was started. Only the first is shown: a bar is worth more than a step of it. */
const started = new Set<WorkInProgress>();
/** Shows the first work while there is any. */
let view: Disposable | undefined;
/** When the first of the works without a gap was started, and when the last of them ended. */
let sinceMs = Number.NEGATIVE_INFINITY;
let untilMs = Number.NEGATIVE_INFINITY;

/**
 * Starts to show progress on stderr, once a second has passed: a bar with count, rate and time left if the total is known,
 * else a spinner. If stderr is not a terminal that can be drawn on, it prints a line now and then, once ten seconds have
 * passed. Shows nothing while other progress is shown. What shows it is loaded only then, and it reads no input and handles no
 * signal.
 */
export function startProgress(io: Io, work: Work): Progress {
  const progress: WorkInProgress = { ...work, startedMs: performance.now(), done: 0, detail: "" };
  if (progress.startedMs - untilMs > maxGapMs && started.size === 0) sinceMs = progress.startedMs;
  started.add(progress);
  view ??= showLater(io);
  return {
    advance: (count = 1) => {
      progress.done += count;
    },
    describe: (text) => {
      progress.detail = text;
    },
    [Symbol.dispose]: () => {
      if (!started.delete(progress) || started.size > 0) return;
      untilMs = performance.now();
      view?.[Symbol.dispose]();
      view = undefined;
    },
  };
}

function showLater(io: Io): Disposable {
  const isDrawn = mayDraw(io);
  let isOver = false;
  let shown: Disposable | undefined;
  const show = async (): Promise<void> => {
    const start = isDrawn
      ? (await import("./draw-progress.ts")).drawProgress
      : (await import("./print-progress.ts")).printProgress;
    if (!isOver) shown = start(io, () => started.values().next().value);
  };
  const dueMs = sinceMs + (isDrawn ? drawAfterMs : printAfterMs);
  const timer = setTimeout(show, Math.max(0, dueMs - performance.now())).unref();
  return {
    [Symbol.dispose]: () => {
      isOver = true;
      clearTimeout(timer);
      shown?.[Symbol.dispose]();
    },
  };
}
