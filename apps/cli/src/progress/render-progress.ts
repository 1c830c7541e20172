import { styleText } from "node:util";
import { safeText } from "../output/safe-text.ts";
import { textWidth, truncateText } from "../output/text-width.ts";
import { describeLimit, describeLimitShortly, formatCount, formatSeconds, secondsLeft } from "./describe-progress.ts";
import type { RequestLimit } from "./request-limit.ts";
import type { WorkInProgress } from "./work.ts";

/** What one line of progress says. */
export interface ProgressState extends Pick<WorkInProgress, "label" | "total" | "stepsPerRequest" | "done" | "detail"> {
  readonly perSecond: number;
  /** How many lines were drawn before. It turns the spinner. */
  readonly frame: number;
  readonly limit: RequestLimit | undefined;
}

/** How the terminal shows a line. */
interface LineStyle {
  readonly widthColumns: number;
  readonly color: boolean;
}

const spinnerFrames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const barColumns = 24;
const gap = "  ";

/**
 * Returns one line of progress, narrower than the terminal. If there is too little room, the parts go in this order: the
 * detail, the rate, the bar, why it waits, the time left, the count. The label is shortened last.
 */
export function renderProgress(state: ProgressState, { widthColumns, color }: LineStyle): string {
  // Some terminals continue on the next line if the last column is used.
  const room = Math.max(0, widthColumns - 1);
  const parts = partsOf(state, color);
  let width = -gap.length;
  const kept = new Set<Part>();
  for (const part of parts.toSorted((left, right) => left.rank - right.rank)) {
    const partWidth = gap.length + textWidth(part.text);
    if (part.text === "" || (kept.size > 0 && width + partWidth > room)) continue;
    if (part.insteadOf !== undefined && kept.has(part.insteadOf)) continue;
    kept.add(part);
    width += partWidth;
  }
  const shown = parts.filter((part) => kept.has(part));
  return shown.map(({ text, paint }) => paint?.(truncateText(text, room)) ?? truncateText(text, room)).join(gap);
}

/** A part of the line. A part of a higher rank is left out first. */
interface Part {
  readonly rank: number;
  readonly text: string;
  /** The part that says the same in more room. */
  readonly insteadOf?: Part;
  readonly paint?: (text: string) => string;
}

function partsOf(state: ProgressState, color: boolean): readonly Part[] {
  const { label, total, done, detail, perSecond, frame } = state;
  const shownDetail = { rank: 7, text: safeText(detail) };
  const turning = `${spinnerFrames[frame % spinnerFrames.length]} ${safeText(label)}`;
  const reasons = reasonsOf(state);
  if (total === undefined) {
    return [
      { rank: 0, text: turning },
      { rank: 1, text: done === 0 ? "" : formatCount(done) },
      ...reasons,
      shownDetail,
    ];
  }
  const finished = Math.min(done, total);
  const seconds = secondsLeft(state);
  return [
    { rank: 0, text: safeText(label) },
    { rank: 5, text: bar(finished, total), paint: (text) => (color ? paintBar(text) : text) },
    { rank: 1, text: `${formatCount(finished)}/${formatCount(total)}` },
    { rank: 6, text: perSecond > 0 ? `${formatRate(perSecond)}/s` : "" },
    { rank: 2, text: seconds === undefined ? "" : `${formatSeconds(seconds)} left` },
    ...reasons,
    shownDetail,
  ];
}

function reasonsOf({ limit }: ProgressState): readonly Part[] {
  if (limit?.isWaitedFor !== true) return [];
  const long = { rank: 3, text: describeLimit(limit) };
  return [long, { rank: 4, text: describeLimitShortly(limit), insteadOf: long }];
}

function bar(done: number, total: number): string {
  const filled = total === 0 ? barColumns : Math.floor((done / total) * barColumns);
  return "█".repeat(filled) + "░".repeat(barColumns - filled);
}

function paintBar(text: string): string {
  const start = text.indexOf("░");
  const end = start === -1 ? text.length : start;
  const style = { validateStream: false };
  return styleText("green", text.slice(0, end), style) + styleText("dim", text.slice(end), style);
}

function formatRate(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : formatCount(Math.round(perSecond));
}
