import { fileURLToPath } from "node:url";
import { median } from "../../../../scripts/median.ts";
import type { EngineName } from "../engines/bench-engine.ts";
import { startEngine } from "../engines/start-engine.ts";
import { measureInTurn } from "../measure/measure-in-turn.ts";
import { startTarget } from "../measure/targets.ts";
import type { Options } from "../options.ts";
import { startProcess } from "../processes/started-process.ts";
import { type CallerName, type CallResult, startCalling } from "./calling-process.ts";
import { type CallName, fewestWebsites } from "./calls.ts";
import { recordAnswers } from "./record-answers.ts";

/** What one call costs both callers, at one server. */
export interface SdkFigure {
  readonly call: CallName;
  readonly server: string;
  readonly bare: CallResult;
  readonly sdk: CallResult;
  /** How much more a call of the SDK costs than a bare one: the median of the rounds, each with both callers in turn. */
  readonly ratio: CallResult;
}

const recordedAnswers = fileURLToPath(new URL("../references/recorded-answers.ts", import.meta.url));
/** More calls than one process makes. */
const numbersPerProcess = 10_000_000;
/** A process compiles its code during the first thousand calls. */
const warmUpRounds = 10;

/** Measures each call to the real server, and to one that answers with the same bytes without work. All of them run in turn. */
export async function measureSdk(
  engineName: EngineName,
  options: Options<CallName>,
  onCall: (figures: readonly SdkFigure[]) => void,
): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const engine = stack.use(await startEngine(engineName));
  const { url: databaseUrl, apiKey } = await engine.createDatabase(Math.max(fewestWebsites, options.websites));
  const siteward = stack.use(await startTarget("siteward", databaseUrl));
  let firstNumber = 100_000_000;
  const recorded = await recordAnswers(siteward.url, apiKey, firstNumber);
  const fixed = stack.use(await startProcess([recordedAnswers, JSON.stringify(recorded)]));
  const start = (caller: CallerName, { url }: { readonly url: string }) => {
    firstNumber += numbersPerProcess;
    return stack.use(startCalling({ caller, url, apiKey, firstNumber }));
  };
  const processes = {
    bareFixed: start("bare", fixed),
    sdkFixed: start("sdk", fixed),
    bareSiteward: start("bare", siteward),
    sdkSiteward: start("sdk", siteward),
  };
  // The type of the result of `keys` does not name them.
  const names = Object.keys(processes) as (keyof typeof processes)[];
  for (const call of options.only) {
    for (const { measure } of Object.values(processes))
      await measure({ call, seconds: warmUpRounds * options.seconds });
    const results = await measureInTurn(names, options, (name, seconds) => processes[name].measure({ call, seconds }));
    onCall([
      { call, server: "bare node:http", ...compare(results.bareFixed, results.sdkFixed) },
      { call, server: "Siteward", ...compare(results.bareSiteward, results.sdkSiteward) },
    ]);
  }
}

function compare(bare: readonly CallResult[], sdk: readonly CallResult[]): Pick<SdkFigure, "bare" | "sdk" | "ratio"> {
  const ratios = sdk.map((result, round) => ({
    cpuMicroseconds: result.cpuMicroseconds / (bare[round]?.cpuMicroseconds ?? Number.NaN),
    wallMicroseconds: result.wallMicroseconds / (bare[round]?.wallMicroseconds ?? Number.NaN),
  }));
  return { bare: medianOf(bare), sdk: medianOf(sdk), ratio: medianOf(ratios) };
}

function medianOf(results: readonly CallResult[]): CallResult {
  return {
    cpuMicroseconds: median(results.map(({ cpuMicroseconds }) => cpuMicroseconds)),
    wallMicroseconds: median(results.map(({ wallMicroseconds }) => wallMicroseconds)),
  };
}
