import { eraseDrawnLine, type Io, mayDraw, setDrawnLine, writeMessage } from "../process/io.ts";
import { jsonText } from "./json.ts";

/** What is shown of a piece of work. */
export interface Work {
  /** What is being done, such as "Importing". */
  readonly label: string;
  /** How many steps there are; undefined if nobody knows. */
  readonly total?: number | undefined;
}

/** Work that is shown while it takes long. It disappears from the terminal when it is disposed. */
export interface Progress extends Disposable {
  /** Counts what is done. */
  readonly advance: (count?: number) => void;
}

/** On a terminal, a line is drawn again and again, but not for work that takes less than a second. */
const drawMs = 200;
const undrawnTicks = 4;
/** Elsewhere, a line is printed now and then. */
const printMs = 30_000;
/** The time left follows from the speed of the last ten seconds. */
const drawnCounts = 50;

/** A process shows one work at a time. A step of it is not shown next to it. */
let isShown = false;

/**
 * Shows the progress of a work on stderr: `Importing 1,234/5,000, 2 min left`, or one line of JSON if errors are JSON
 * too. It reads no input and handles no signal. Shows nothing while other work is shown.
 */
export function startProgress(io: Io, { label, total }: Work): Progress {
  if (isShown) return { advance: () => undefined, [Symbol.dispose]: () => undefined };
  isShown = true;
  const isDrawn = mayDraw(io);
  const [everyMs, maxCounts, show] = isDrawn ? [drawMs, drawnCounts, drawLine] : [printMs, 1, printLine];
  const counts = [0];
  let [done, ticks] = [0, 0];
  const tick = (): void => {
    const perSecond = ((done - (counts[0] ?? 0)) / (counts.length * everyMs)) * 1000;
    counts.push(done);
    if (counts.length > maxCounts) counts.shift();
    ticks += 1;
    if (isDrawn && ticks <= undrawnTicks) return;
    show(io, { label, total, done, secondsLeft: total && perSecond > 0 ? (total - done) / perSecond : undefined });
  };
  const timer = setInterval(tick, everyMs).unref();
  return {
    advance: (count = 1) => {
      done += count;
    },
    [Symbol.dispose]: () => {
      isShown = false;
      clearInterval(timer);
      if (isDrawn) eraseDrawnLine();
    },
  };
}

/** Erases the line from the cursor to its end (ECMA-48, EL). */
const eraseRest = "\u001b[K";

/** Draws over the line before it, so that the screen is never without one. */
function drawLine({ stderr }: Io, state: State): void {
  // Some terminals continue on the next line if the last column is used.
  stderr.write(`${describe(state).slice(0, (stderr.columns || 80) - 1)}${eraseRest}\r`);
  setDrawnLine(() => stderr.write(`\r${eraseRest}`));
}

function printLine(io: Io, state: State): void {
  const { label, total, done, secondsLeft } = state;
  const seconds_left = secondsLeft && Math.ceil(secondsLeft);
  const json = () => jsonText({ progress: { message: label, done, total, seconds_left } });
  void writeMessage(io, `${io.facts.areMessagesJson?.() === true ? json() : describe(state)}\n`);
}

interface State extends Work {
  readonly done: number;
  readonly secondsLeft: number | undefined;
}

function describe({ label, total, done, secondsLeft }: State): string {
  if (total === undefined) return done === 0 ? label : `${label} ${formatCount(done)}`;
  const left = secondsLeft === undefined ? "" : `, ${formatSeconds(Math.ceil(secondsLeft))} left`;
  return `${label} ${formatCount(done)}/${formatCount(total)}${left}`;
}

function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** Formats a time: "19 s", "2 min", "4 h 10 min". */
function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${formatCount(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}
