import { type OptionDefaults, type Options, readOptions, UsageError } from "./options.ts";

/** Runs a benchmark with the options of the command line. */
export async function runBenchmark<Name extends string>(
  defaults: OptionDefaults<Name>,
  run: (options: Options<Name>) => Promise<void>,
): Promise<void> {
  // On a signal the process calls `exit`, so that everything it started ends with it.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  try {
    await run(readOptions(process.argv.slice(2), defaults));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
