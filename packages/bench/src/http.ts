import { parseArgs } from "node:util";
import { engineNames } from "@siteward/testing/engines/database";
import { startEngine } from "./engines/bench-engine.ts";
import { websiteCount } from "./engines/seeded-file.ts";
import { formatCount, formatMegabytes, formatMs, formatRatio } from "./format.ts";
import { measureHttp } from "./measure/measure-http.ts";
import { usualRounds } from "./measure/measure-in-turn.ts";
import { printTable } from "./print-table.ts";

/**
 * `pnpm bench http`: compares the built server with bare Express 5, which runs the same queries. `--latency-ms` is how much longer a
 * round trip to the database takes. SQLite has no connection, so only PostgreSQL is measured with it.
 */
const { values } = parseArgs({ options: { "latency-ms": { type: "string", default: "0" } } });
const latencyMs = Number(values["latency-ms"]);
if (!(latencyMs >= 0)) throw new Error("--latency-ms must be a number.");
console.log(`Medians of ${usualRounds.rounds} rounds of ${usualRounds.seconds} s, with ${websiteCount} websites`);
for (const engineName of latencyMs > 0 ? (["postgres"] as const) : engineNames) {
  await using engine = await startEngine[engineName]();
  const { figures, idleBytes, afterWriteBytes } = await measureHttp(engine, latencyMs);
  const hasDatabase = engine.cpuSeconds !== undefined;
  console.log(`\n${engine.title}${latencyMs > 0 ? `, ${latencyMs} ms away` : ""}`);
  printTable(
    [
      "Operation",
      ...["requests/s", "p50 ms", "p99 ms", "server µs", ...(hasDatabase ? ["database µs"] : [])],
      "of bare Express 5",
    ],
    figures.map(({ title, perSecond, p50Ms, p99Ms, cpuMicroseconds, databaseMicroseconds, ratio }) => [
      title,
      formatCount(perSecond),
      formatMs(p50Ms),
      formatMs(p99Ms),
      formatCount(cpuMicroseconds),
      ...(hasDatabase ? [formatCount(databaseMicroseconds)] : []),
      formatRatio(ratio),
    ]),
  );
  const [idle, afterWrite] = [idleBytes, afterWriteBytes].map(formatMegabytes);
  console.log(`Memory of the server: ${idle} idle, ${afterWrite} after the first write`);
}
