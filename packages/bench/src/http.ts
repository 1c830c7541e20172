import { engineNames } from "@siteward/testing/engines/database";
import { startEngine } from "./engines/start-engine.ts";
import { formatMegabytes } from "./format.ts";
import { measureHttp } from "./measure/measure-http.ts";
import { printHttp } from "./measure/print-http.ts";
import { readOptions } from "./options.ts";

/** `pnpm bench http`: compares the built server with bare Express 5, which runs the same queries. */
const options = readOptions({ engines: engineNames, rounds: 5, seconds: 1, websites: 1_000 });
console.log(`Medians of ${options.rounds} rounds of ${options.seconds} s, with ${options.websites} websites`);
for (const engineName of options.engines) {
  await using engine = await startEngine(engineName, options.websites);
  const { figures, memory } = await measureHttp(engine, options);
  printHttp(figures, { engine: engineName, ...options });
  const [idle, afterWrite] = [memory.idleBytes, memory.afterWriteBytes].map(formatMegabytes);
  console.log(`Memory of the server: ${idle} idle, ${afterWrite} after the first write`);
}
