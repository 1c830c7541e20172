import { engineTitles } from "./engines/bench-engine.ts";
import { runBenchmark } from "./run-benchmark.ts";
import { callNames } from "./sdk/calls.ts";
import { measureSdk } from "./sdk/measure-sdk.ts";
import { printSdk } from "./sdk/print-sdk.ts";

/** `pnpm bench sdk`: compares a call of the SDK with a bare `fetch` and `JSON.parse` of the same call. */
await runBenchmark(
  { engines: ["sqlite"], only: callNames, rounds: 31, seconds: 0.1, websites: 1_000 },
  async (options) => {
    const [engineName = "sqlite"] = options.engines;
    console.log(
      `Medians of ${options.rounds} rounds of ${options.seconds} s, one call at a time, ` +
        `with ${options.websites} websites on ${engineTitles[engineName]}`,
    );
    await measureSdk(engineName, options, printSdk);
  },
);
