/** Enough to pass over one call that waits for others of the machine. */
const repetitions = 3;

/** Runs `work` three times, one at a time, and returns the median of what it took, in milliseconds. */
export async function medianTimeMs(work: (repetition: number) => Promise<unknown>): Promise<number> {
  const timesMs: number[] = [];
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const start = performance.now();
    await work(repetition);
    timesMs.push(performance.now() - start);
  }
  return timesMs.toSorted((one, other) => one - other)[Math.floor(repetitions / 2)] ?? 0;
}
