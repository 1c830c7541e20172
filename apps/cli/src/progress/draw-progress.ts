import { eraseDrawnLine, setDrawnLine } from "../process/drawn-line.ts";
import { type Io, takesColor } from "../process/io.ts";
import { type ProgressState, renderProgress } from "./render-progress.ts";

/** Progress that is being drawn, until it is disposed. */
export type Drawing = Disposable;

/** Draws ten times per second: the spinner turns, and a terminal over a slow line is not flooded. */
const frameMs = 100;

/** The rate is that of the last ten seconds, so that it follows a change of speed. */
const rateFrames = 100;

/** What is drawn now, and whether it is drawn at all. */
interface DrawnWork extends Omit<ProgressState, "frame" | "perSecond"> {
  readonly elapsedMs: number;
  readonly isShown: boolean;
}

/** Draws one line on stderr, again and again, until it is disposed. The cursor stays at the start of the line. */
export function drawProgress(io: Io, read: () => DrawnWork): Drawing {
  const earlier: { readonly elapsedMs: number; readonly done: number }[] = [{ elapsedMs: 0, done: 0 }];
  let frame = 0;
  const draw = (): void => {
    const work = read();
    const perSecond = rateSince(earlier[0], work);
    earlier.push({ elapsedMs: work.elapsedMs, done: work.done });
    if (earlier.length > rateFrames) earlier.shift();
    frame += 1;
    eraseDrawnLine();
    if (!work.isShown) return;
    const color = takesColor(io.stderr, io.env);
    const line = renderProgress({ ...work, frame, perSecond }, { widthColumns: io.stderr.columns || 80, color });
    io.stderr.write(`${line}\r`);
    setDrawnLine(() => io.stderr.write(eraseLine));
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
const eraseLine = "\r\u001b[K";

function rateSince(since: { elapsedMs: number; done: number } | undefined, { elapsedMs, done }: DrawnWork): number {
  const elapsed = elapsedMs - (since?.elapsedMs ?? 0);
  return elapsed <= 0 ? 0 : ((done - (since?.done ?? 0)) / elapsed) * 1000;
}
