import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "../../../../scripts/median.ts";
import { measureInTurn } from "../measure/measure-in-turn.ts";
import type { Options } from "../options.ts";
import { type CommandLineName, commandLines } from "./command-lines.ts";
import { measureProcess, type ProcessCost } from "./measure-process.ts";
import { serveWebsite } from "./serve-website.ts";

/** What a command line costs. */
export interface CliFigure extends ProcessCost {
  readonly name: CommandLineName;
  /** Its processor time compared with that of the empty script: the median of the rounds, each with both in turn. */
  readonly ratio: number;
}

/** A key of the right form, which the server does not check. */
const apiKey = "swk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA3Ae0o2";

/** Measures each command line, all of them in turn. What Node compiles is kept between the runs, as it is for users. */
export async function measureCli({ only, rounds }: Options<CommandLineName>): Promise<readonly CliFigure[]> {
  await using server = await serveWebsite();
  using home = createHome();
  const { PATH } = process.env;
  const env = { PATH, HOME: home.path, SITEWARD_API_KEY: apiKey, SITEWARD_BASE_URL: server.url };
  const names = [...new Set<CommandLineName>(["empty", ...only])];
  const results = await measureInTurn(names, { rounds, seconds: 0 }, (name) =>
    measureProcess(commandLines[name].words(`${server.url}/api/v1/websites/7`), env),
  );
  return names.map((name) => ({
    name,
    cpuMs: median(results[name].map(({ cpuMs }) => cpuMs)),
    wallMs: median(results[name].map(({ wallMs }) => wallMs)),
    ratio: median(results[name].map(({ cpuMs }, round) => cpuMs / (results.empty[round]?.cpuMs ?? Number.NaN))),
  }));
}

function createHome(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "siteward-bench-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
