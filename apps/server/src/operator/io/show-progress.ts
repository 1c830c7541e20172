import type { CommandContext } from "./command-context.ts";

/** How often the bar is drawn, and how often a line is written if there is no terminal. */
const barIntervalMs = 100;
const lineIntervalMs = 5_000;
/** With this width, the longest line fits into 80 columns. */
const barWidth = 24;

/** How far a command is that changes many rows. */
interface Progress {
  /** What it does, such as `copying`. */
  readonly step: string;
  readonly table: string;
  /** Rows of the table that the step has done. */
  readonly done: number;
  readonly total: number;
}

/**
 * Shows the progress of a command: as a bar on a terminal, else in a line every few seconds.
 *
 * @param nowMs a clock that never goes back, in milliseconds
 */
export function showProgress(
  context: Pick<CommandContext, "note" | "redraw">,
  nowMs: () => number,
): (progress: Progress) => void {
  const { redraw } = context;
  const intervalMs = redraw === undefined ? lineIntervalMs : barIntervalMs;
  let shownAtMs = redraw === undefined ? nowMs() : Number.NEGATIVE_INFINITY;
  return (progress) => {
    if (nowMs() - shownAtMs < intervalMs) return;
    shownAtMs = nowMs();
    if (redraw === undefined) context.note(renderLine(progress));
    else redraw(renderBar(progress));
  };
}

function renderLine({ step, table, done, total }: Progress): string {
  return `${step} ${table}: ${done.toLocaleString("en")} of ${total.toLocaleString("en")}`;
}

function renderBar(progress: Progress): string {
  const share = Math.min(progress.done / Math.max(progress.total, 1), 1);
  const full = Math.floor(share * barWidth);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `${"█".repeat(full)}${"░".repeat(barWidth - full)} ${percent} %  ${renderLine(progress)}`;
}
