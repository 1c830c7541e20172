import type { CopyProgress } from "../../storage/copy/copy-run.ts";
import type { CommandContext } from "./command-context.ts";

/** How often the bar is drawn, and how often a line is written if there is no terminal. */
const barIntervalMs = 100;
const lineIntervalMs = 5_000;
/** With this width, the longest line fits into 80 columns. */
const barWidth = 24;

/**
 * Shows the progress of a copy: as a bar on a terminal, else in a line every few seconds.
 *
 * @param nowMs a clock that never goes back, in milliseconds
 */
export function showProgress(context: CommandContext, nowMs: () => number): (progress: CopyProgress) => void {
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

function renderLine({ step, table, done, total }: CopyProgress): string {
  return `${step} ${table}: ${done.toLocaleString("en")} of ${total.toLocaleString("en")}`;
}

function renderBar(progress: CopyProgress): string {
  const share = Math.min(progress.done / Math.max(progress.total, 1), 1);
  const full = Math.floor(share * barWidth);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `${"█".repeat(full)}${"░".repeat(barWidth - full)} ${percent} %  ${renderLine(progress)}`;
}
