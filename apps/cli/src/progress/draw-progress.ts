import { eraseDrawnLine, setDrawnLine } from "../process/drawn-line.ts";
import { type Io, takesColor } from "../process/io.ts";
import { renderProgress } from "./render-progress.ts";
import { readRequestLimit } from "./request-limit.ts";
import type { WorkInProgress } from "./work.ts";

/** Draws ten times per second: the spinner turns, and a terminal over a slow line is not flooded. */
const frameMs = 100;

/** The rate is that of the last ten seconds, so that it follows a change of speed. */
const rateFrames = 100;

/** How much of a work was done at a time. */
interface Sample {
  readonly atMs: number;
  readonly done: number;
}

/**
 * Draws one line on stderr, again and again, until it is disposed. The cursor stays at the start of the line. A line is drawn
 * over the one before it, so that the screen is never without one.
 *
 * @param read returns the work to show; undefined if there is none
 */
export function drawProgress(io: Io, read: () => WorkInProgress | undefined): Disposable {
  let drawn: WorkInProgress | undefined;
  let earlier: Sample[] = [];
  let frame = 0;
  const draw = (): void => {
    const work = read();
    if (work === undefined) return;
    if (work !== drawn) earlier = [{ atMs: work.startedMs, done: 0 }];
    drawn = work;
    const now = { atMs: performance.now(), done: work.done };
    const perSecond = rateSince(earlier[0], now);
    earlier.push(now);
    if (earlier.length > rateFrames) earlier.shift();
    frame += 1;
    const style = { widthColumns: io.stderr.columns || 80, color: takesColor(io.stderr, io.env) };
    io.stderr.write(`${renderProgress({ ...work, frame, perSecond, limit: readRequestLimit() }, style)}${eraseRest}\r`);
    setDrawnLine(() => io.stderr.write(`\r${eraseRest}`));
  };
  const timer = setInterval(draw, frameMs).unref();
  draw();
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer);
      eraseDrawnLine();
    },
  };
}

/** Erases the line from the cursor to its end (ECMA-48, EL). */
const eraseRest = "\u001b[K";

function rateSince(since: Sample | undefined, now: Sample): number {
  const elapsedMs = now.atMs - (since?.atMs ?? 0);
  return elapsedMs <= 0 ? 0 : ((now.done - (since?.done ?? 0)) / elapsedMs) * 1000;
}
