import { jsonText } from "../output/json.ts";
import { safeText } from "../output/safe-text.ts";
import { type Io, writeMessage } from "../process/io.ts";
import { describeLimit, formatCount, formatSeconds, secondsLeft } from "./describe-progress.ts";
import { readRequestLimit } from "./request-limit.ts";
import type { WorkInProgress } from "./work.ts";

/** The second line follows after this time, and each further one after twice the time of the one before, up to a minute. */
const firstWaitMs = 10_000;
const maxWaitMs = 60_000;

/** When the next line is due. It belongs to the process, in which one work can follow another. */
let nextMs = Number.NEGATIVE_INFINITY;
let waitMs = firstWaitMs;

/**
 * Prints a line about the work on stderr now and then, until it is disposed: one of JSON if errors are JSON too.
 *
 * @param read returns the work to describe; undefined if there is none
 */
export function printProgress(io: Io, read: () => WorkInProgress | undefined): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const print = (): void => {
    const work = read();
    if (work !== undefined) void writeMessage(io, lineOf(work, io.facts.areMessagesJson?.() === true));
    nextMs = performance.now() + waitMs;
    waitMs = Math.min(maxWaitMs, waitMs * 2);
    wait();
  };
  const wait = (): void => {
    timer = setTimeout(print, Math.max(0, nextMs - performance.now())).unref();
  };
  wait();
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

function lineOf(work: WorkInProgress, isJson: boolean): string {
  const { label, total, done, startedMs } = work;
  const limit = readRequestLimit();
  const perSecond = (done / Math.max(1, performance.now() - startedMs)) * 1000;
  const seconds = secondsLeft({ ...work, perSecond, limit });
  const reason = limit?.isWaitedFor === true ? describeLimit(limit) : undefined;
  if (isJson) {
    const progress = { message: label, done, total, seconds_left: seconds && Math.ceil(seconds), reason };
    return `${jsonText({ progress })}\n`;
  }
  const count = total === undefined ? formatCount(done) : `${formatCount(done)}/${formatCount(total)}`;
  const parts = [
    ...(total === undefined && done === 0 ? [] : [count]),
    ...(seconds === undefined ? [] : [`${formatSeconds(seconds)} left`]),
    ...(reason === undefined ? [] : [reason]),
  ];
  return `${safeText([label, parts.join(", ")].filter((part) => part !== "").join(": "))}\n`;
}
