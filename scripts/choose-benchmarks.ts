/** A benchmark: the package that it is in, and its script there. */
interface Benchmark {
  readonly filter: string;
  readonly script: string;
}

/** What a command line of `pnpm bench` runs. */
export interface ChosenBenchmarks {
  readonly chosen: readonly (readonly [name: string, benchmark: Benchmark])[];
  /** The benchmarks get these unchanged. */
  readonly options: readonly string[];
}

const benchmarks: Readonly<Record<string, Benchmark>> = {
  http: { filter: "@siteward/bench", script: "http" },
  mixed: { filter: "@siteward/bench", script: "mixed" },
  capacity: { filter: "@siteward/bench", script: "capacity" },
  changes: { filter: "@siteward/bench", script: "changes" },
  cli: { filter: "@siteward/bench", script: "cli" },
  metrics: { filter: "@siteward/bench", script: "metrics" },
  rules: { filter: "@siteward/bench", script: "rules" },
  sdk: { filter: "@siteward/bench", script: "sdk" },
  storage: { filter: "@siteward/server", script: "bench:storage" },
};

/** Reads the words behind `pnpm bench`: the names, if not all benchmarks are meant, and then the options. @throws RangeError */
export function chooseBenchmarks(words: readonly string[]): ChosenBenchmarks {
  const firstOption = words.findIndex((word) => word.startsWith("-"));
  const names = firstOption === -1 ? words : words.slice(0, firstOption);
  const unknown = names.find((name) => !Object.hasOwn(benchmarks, name));
  if (unknown !== undefined) {
    throw new RangeError(
      `The benchmark ${JSON.stringify(unknown)} does not exist. ` +
        `The benchmarks are ${Object.keys(benchmarks).join(", ")}.`,
    );
  }
  const chosen = Object.entries(benchmarks).filter(([name]) => names.length === 0 || names.includes(name));
  return { chosen, options: words.slice(names.length) };
}
