import { runWriters, type WritersOptions } from "./writers.ts";

/** Writes until a write is acknowledged. Returns after how many milliseconds, or undefined if none was in time. */
export async function writesAgain(
  options: Omit<WritersOptions, "writers" | "isDone">,
  timeoutMs: number,
): Promise<number | undefined> {
  const { counts } = options.log;
  const { acknowledged } = counts;
  const startedAtMs = performance.now();
  const isWell = () => counts.acknowledged > acknowledged;
  const isLate = () => performance.now() - startedAtMs > timeoutMs;
  await runWriters({ ...options, writers: 1, isDone: () => isWell() || isLate() });
  return isWell() ? performance.now() - startedAtMs : undefined;
}
