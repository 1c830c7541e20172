import { median } from "../../../scripts/median.ts";

type Run = () => Promise<number>;

/** The latency of sequential runs. */
export interface Latency {
  readonly medianUs: number;
  /** The median number of records that a run returned or changed. */
  readonly records: number;
}

const warmUpMs = 200;
/** Engines run in turns of this length, so that other work on the machine affects all of them equally. */
const turnMs = 300;
const turns = 4;
const callers = 16;
const throughputMs = 1_500;

/** Measures the same operation on several engines in turn, with one run at a time. */
export async function measureLatencies(runs: readonly Run[]): Promise<Latency[]> {
  const samples = runs.map(() => ({ timesUs: [] as number[], records: [] as number[] }));
  for (const run of runs) await repeat(run, warmUpMs, () => undefined);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [index, run] of runs.entries()) {
      await repeat(run, turnMs, (timeUs, records) => {
        samples[index]?.timesUs.push(timeUs);
        samples[index]?.records.push(records);
      });
    }
  }
  return samples.map(({ timesUs, records }) => ({ medianUs: median(timesUs), records: median(records) }));
}

/** Measures how many runs per second complete with many concurrent callers. */
export async function measureThroughput(run: Run): Promise<number> {
  let count = 0;
  const startMs = performance.now();
  const call = () =>
    repeat(run, throughputMs, () => {
      count += 1;
    });
  await Promise.all(Array.from({ length: callers }, call));
  return (count * 1_000) / (performance.now() - startMs);
}

async function repeat(run: Run, forMs: number, onRun: (timeUs: number, records: number) => void): Promise<void> {
  const endMs = performance.now() + forMs;
  let nowMs = performance.now();
  do {
    const startMs = nowMs;
    const records = await run();
    nowMs = performance.now();
    onRun((nowMs - startMs) * 1_000, records);
  } while (nowMs < endMs);
}
