import { parseArgs } from "node:util";
import { type EngineName, engineNames } from "@siteward/testing/engines/database";

export interface Options {
  readonly engines: readonly EngineName[];
  readonly rounds: number;
  /** How long each measurement takes. */
  readonly seconds: number;
  /** How many websites a database has at the start. */
  readonly websites: number;
  /** How much longer a round trip to the database takes. SQLite has no connection, so only PostgreSQL is measured with it. */
  readonly latencyMs: number;
}

/** Reads the options of a benchmark from the command line. The defaults are what it measures if that does not say. */
export function readOptions(defaults: Omit<Options, "latencyMs">): Options {
  // On a signal the process calls `exit`, so that everything it started ends with it.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  const { values } = parseArgs({
    options: {
      engine: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      websites: { type: "string" },
      "latency-ms": { type: "string" },
    },
  });
  const latencyMs = readNumber("--latency-ms", values["latency-ms"]) ?? 0;
  const named = latencyMs > 0 ? "postgres" : values.engine;
  const engines = engineNames.filter((name) => name === named);
  if (named !== undefined && engines.length === 0) throw new Error(`--engine must be ${engineNames.join(" or ")}.`);
  return {
    engines: named === undefined ? defaults.engines : engines,
    rounds: readNumber("--rounds", values.rounds) ?? defaults.rounds,
    seconds: readNumber("--seconds", values.seconds) ?? defaults.seconds,
    websites: readNumber("--websites", values.websites) ?? defaults.websites,
    latencyMs,
  };
}

function readNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (Number(text) > 0) return Number(text);
  throw new Error(`${option} must be a number above 0.`);
}
