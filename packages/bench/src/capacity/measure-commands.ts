import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { median } from "../../../../scripts/median.ts";
import type { CommandCosts, CommandFigure } from "../docs/figures.ts";
import type { BenchEngine } from "../engines/bench-engine.ts";
import { domainOf } from "../load/domain-of.ts";
import { startTarget } from "../measure/targets.ts";
import type { Options } from "../options.ts";
import { type CliHome, cliBin, createCliHome } from "../processes/cli-program.ts";
import { measureProcess } from "../processes/measure-process.ts";
import { type CommandName, commandNames, commands, domainsFile } from "./commands.ts";

/** Measures commands of the built CLI on an account that is empty at the start of each round. */
export async function measureCommands(engine: BenchEngine, { websites, rounds }: Options): Promise<CommandFigure[]> {
  using home = createCliHome();
  const domains = Array.from({ length: websites }, (_, index) => `${domainOf(index + 1)}\n`);
  await writeFile(join(home.path, domainsFile), domains.join(""));
  const results: Array<Record<CommandName, CommandCosts>> = [];
  for (let round = 0; round < rounds; round += 1) results.push(await measureRound(engine, home));
  return commandNames.map((command) => {
    const medianOf = (cost: keyof CommandCosts) => median(results.map((result) => result[command][cost]));
    return {
      engine: engine.name,
      command,
      websites,
      seconds: medianOf("seconds"),
      cliSeconds: medianOf("cliSeconds"),
      serverSeconds: medianOf("serverSeconds"),
      databaseSeconds: medianOf("databaseSeconds"),
    };
  });
}

async function measureRound(engine: BenchEngine, home: CliHome): Promise<Record<CommandName, CommandCosts>> {
  const { url: databaseUrl, apiKey } = await engine.createDatabase(0);
  await using server = await startTarget("siteward", databaseUrl);
  const environment = home.environmentOf({ url: server.url, apiKey });
  const measured: Array<readonly [CommandName, CommandCosts]> = [];
  for (const name of commandNames) {
    const [serverBefore, databaseBefore] = [server.usage().cpuSeconds, engine.cpuSeconds()];
    const { wallMs, cpuMs } = await measureProcess([cliBin, ...commands[name].words(home.path)], environment);
    const costs = {
      seconds: wallMs / 1_000,
      cliSeconds: cpuMs / 1_000,
      serverSeconds: server.usage().cpuSeconds - serverBefore,
      databaseSeconds: engine.cpuSeconds() - databaseBefore,
    };
    measured.push([name, costs]);
  }
  // The type of the result of `fromEntries` does not name the keys.
  return Object.fromEntries(measured) as Record<CommandName, CommandCosts>;
}
