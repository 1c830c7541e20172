import { parseArgs } from "node:util";
import { type EngineName, engineNames } from "./engines/bench-engine.ts";

export interface Options<Name extends string = string> {
  readonly engines: readonly EngineName[];
  /** The parts of the benchmark to run. */
  readonly only: readonly Name[];
  readonly rounds: number;
  /** How long each measurement takes. */
  readonly seconds: number;
  /** How many websites a database has at the start. */
  readonly websites: number;
  /** How much longer a round trip to the database takes. */
  readonly latencyMs: number;
}

/** What a benchmark measures if the command line does not say. */
export type OptionDefaults<Name extends string> = Pick<
  Options<Name>,
  "engines" | "only" | "rounds" | "seconds" | "websites"
>;

/** The command line is not valid. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Reads the options of a benchmark. @throws UsageError */
export function readOptions<Name extends string>(
  words: readonly string[],
  defaults: OptionDefaults<Name>,
): Options<Name> {
  const values = parse(words);
  const options = {
    engines: values.engine === undefined ? defaults.engines : readNames("--engine", engineNames, values.engine),
    only: values.only === undefined ? defaults.only : readNames("--only", defaults.only, values.only),
    rounds: readNumber("--rounds", values.rounds) ?? defaults.rounds,
    seconds: readNumber("--seconds", values.seconds) ?? defaults.seconds,
    websites: readNumber("--websites", values.websites) ?? defaults.websites,
    latencyMs: readNumber("--latency-ms", values["latency-ms"]) ?? 0,
  };
  if (options.latencyMs === 0 || !options.engines.includes("sqlite")) return options;
  if (values.engine === undefined) return { ...options, engines: ["postgres"] };
  throw new UsageError("--latency-ms needs --engine postgres: SQLite has no connection.");
}

function parse(words: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        engine: { type: "string" },
        only: { type: "string" },
        rounds: { type: "string" },
        seconds: { type: "string" },
        websites: { type: "string" },
        "latency-ms": { type: "string" },
      },
    });
    return values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Reads comma-separated names. */
function readNames<Name extends string>(option: string, known: readonly Name[], text: string): readonly Name[] {
  const given = text.split(",");
  if (given.every((name) => known.some((candidate) => candidate === name))) {
    return known.filter((name) => given.includes(name));
  }
  throw new UsageError(`${option} must be one or more of ${known.join(", ")}, comma-separated.`);
}

function readNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,8}(\.\d{1,3})?$/.test(text) && Number(text) > 0) return Number(text);
  throw new UsageError(`${option} must be a number above 0.`);
}
