import { parseArgs } from "node:util";
import { type EngineName, engineNames } from "./engines/engine-name.ts";
import type { Row } from "./row.ts";
import { type RowName, rows } from "./rows/index.ts";

export interface CommandLine {
  /** The arguments as they were given. */
  readonly words: readonly string[];
  readonly rowNames: readonly RowName[];
  /** Returns the engines on which a row runs. */
  readonly enginesOf: (row: Row) => readonly EngineName[];
  readonly seed: number;
  /** Returns the number of rounds of a row. */
  readonly roundsOf: (rounds: Pick<Row["rounds"], "default" | "short">) => number;
  readonly isSabotaged: boolean;
  readonly isList: boolean;
  readonly isHelp: boolean;
  readonly allowsMissing: boolean;
  readonly writesDocs: boolean;
  readonly server: string | undefined;
}

/** The command line is not valid. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const usage = `pnpm torture [row…] [--seed N] [--rounds N|Nx|short] [--engine ${engineNames.join("|")}] [--sabotage]
             [--server <file>] [--allow-missing] [--write-docs] [--list]
Rows: ${Object.keys(rows).join(", ")}`;

/** Reads `pnpm torture …`. @throws UsageError */
export function readCommandLine(words: readonly string[], randomSeed: () => number): CommandLine {
  const { values, positionals } = parse(words);
  const chosenEngines = values.engine === undefined ? engineNames : [readEngineName(values.engine)];
  for (const name of positionals) requireEngine(readRowName(name), chosenEngines);
  return {
    words,
    rowNames: positionals.length === 0 ? Object.keys(rows).filter(isRowName) : positionals.map(readRowName),
    enginesOf: ({ engines }) => {
      const shared = engines.filter((engine) => chosenEngines.includes(engine));
      // What a row notices does not depend on the engine.
      return values.sabotage ? shared.slice(0, 1) : shared;
    },
    seed: values.seed === undefined ? randomSeed() : readCount("--seed", values.seed),
    roundsOf: readRounds(values.rounds ?? "1x"),
    isSabotaged: values.sabotage,
    isList: values.list,
    isHelp: values.help,
    allowsMissing: values["allow-missing"],
    writesDocs: values["write-docs"],
    server: values.server,
  };
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        seed: { type: "string" },
        rounds: { type: "string" },
        engine: { type: "string" },
        server: { type: "string" },
        sabotage: { type: "boolean", default: false },
        list: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
        "allow-missing": { type: "boolean", default: false },
        "write-docs": { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readRowName(text: string): RowName {
  if (isRowName(text)) return text;
  throw new UsageError(`The row ${JSON.stringify(text)} does not exist.`);
}

/** A command that runs nothing must not look green. */
function requireEngine(name: RowName, chosen: readonly EngineName[]): void {
  const { engines }: Row = rows[name];
  if (engines.some((engine) => chosen.includes(engine))) return;
  throw new UsageError(`The row ${name} does not run on ${chosen.join(" or ")}; it runs on ${engines.join(" and ")}.`);
}

function isRowName(text: string): text is RowName {
  return Object.hasOwn(rows, text);
}

function readEngineName(text: string): EngineName {
  const name = engineNames.find((known) => known === text);
  if (name !== undefined) return name;
  throw new UsageError(`--engine must be ${engineNames.join(" or ")}.`);
}

function readRounds(text: string): CommandLine["roundsOf"] {
  if (text === "short") return (rounds) => rounds.short;
  if (!text.endsWith("x")) {
    const rounds = readCount("--rounds", text);
    return () => rounds;
  }
  const factor = readCount("--rounds", text.slice(0, -1));
  return (rounds) => rounds.default * factor;
}

function readCount(option: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new UsageError(`${option} must be an integer of at least 1.`);
}
