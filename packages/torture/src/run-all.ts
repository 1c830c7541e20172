import { availableParallelism } from "node:os";
import type { CommandLine } from "./command-line.ts";
import type { Engine } from "./engines/database.ts";
import { type EngineName, engineNames } from "./engines/engine-name.ts";
import { engines } from "./engines/engines.ts";
import { formatResult } from "./format.ts";
import { findMissing } from "./needs.ts";
import { type RowName, rows } from "./rows/index.ts";
import { type RunResult, runRow } from "./run-row.ts";
import { type RowResult, writeDocs } from "./write-docs.ts";

/** Runs the chosen rows one at a time, and prints a line for each. Returns false if a promise was broken or not tested. */
export async function runAll(commandLine: CommandLine & { serverBin: string }): Promise<boolean> {
  const { rowNames, seed, isSabotaged, allowsMissing } = commandLine;
  console.log(`Seed ${seed}, ${commandLine.serverBin}${isSabotaged ? ", sabotaged: each row must notice it" : ""}`);
  const results: RowResult[] = [];
  let isGreen = true;
  for (const engineName of engineNames) {
    const chosen = rowNames.filter((name) => commandLine.enginesOf(rows[name]).includes(engineName));
    if (chosen.length === 0) continue;
    await using engine = await engines[engineName]();
    for (const rowName of chosen) {
      const missing = findMissing(rows[rowName]);
      if (missing.length > 0) {
        console.log(`- ${rowName} (${engineName}): not run: it needs ${missing.join(", ")}`);
        isGreen &&= allowsMissing;
        continue;
      }
      const result = await attack(rowName, { ...commandLine, engineName, engine });
      isGreen &&= isExpected(result, isSabotaged);
      results.push(result);
    }
  }
  if (commandLine.writesDocs && !isGreen)
    console.log("docs/reliability.md was not changed, because not every row is green.");
  if (commandLine.writesDocs && isGreen) await writeDocs(results, describeRun(commandLine));
  return isGreen;
}

interface AttackOptions extends CommandLine {
  readonly serverBin: string;
  readonly engineName: EngineName;
  readonly engine: Engine;
}

async function attack(rowName: RowName, options: AttackOptions): Promise<RowResult> {
  const rounds = options.roundsOf(rows[rowName].rounds);
  const result = await runRow(rows[rowName], { ...options, rounds });
  const title = `${rowName} (${options.engineName})`;
  console.log(formatResult(title, result, isExpected(result, options.isSabotaged)));
  return { ...result, rowName, engineName: options.engineName };
}

/** Returns the command that reproduces these figures, and where it ran. */
function describeRun({ words, seed }: CommandLine): string {
  const command = ["pnpm torture", ...words.filter((word) => word !== "--write-docs")].join(" ");
  const withSeed = words.includes("--seed") ? command : `${command} --seed ${seed}`;
  return (
    `Last run: \`${withSeed}\` with Node ${process.versions.node} on ${availableParallelism()} cores ` +
    `(${process.platform}).`
  );
}

function isExpected({ violations, hasFailed }: RunResult, isSabotaged: boolean): boolean {
  return violations.length > 0 === isSabotaged && !hasFailed;
}
