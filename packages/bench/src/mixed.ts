import { canSlowDisk } from "@siteward/testing/slow-disk";
import { startEngine } from "./engines/start-engine.ts";
import { measureSetup, type Setup } from "./mixed/measure-setup.ts";
import { printSetup } from "./mixed/print-setup.ts";
import { readOptions } from "./options.ts";

const setups: readonly Setup[] = [1, 2].flatMap((workers) => [0, 5].map((syncDelayMs) => ({ workers, syncDelayMs })));

/** `pnpm bench mixed`: measures readers of single websites, alone and next to others that use the server. */
const options = readOptions({ engines: ["sqlite"], rounds: 5, seconds: 1, websites: 1_000 });
const [engineName = "sqlite"] = options.engines;
await using engine = await startEngine(engineName, options.websites);
console.log(`Medians of ${options.rounds} rounds of ${options.seconds} s, with ${options.websites} websites`);
const hasSlowDisk = canSlowDisk();
if (!hasSlowDisk) console.log("Not run: syncs that take longer, which need strace");
for (const setup of setups) {
  if (setup.syncDelayMs === 0 || hasSlowDisk) printSetup(engineName, setup, await measureSetup(engine, setup, options));
}
