import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { Database } from "../engines/database.ts";
import type { Attack } from "../row.ts";

/** Starts a server at log level `trace` with metrics, with everything that it writes in files. */
export async function startCaptured(attack: Attack, database: Database, folder: string) {
  const base = join(folder, "server");
  const wrapper = ["sh", "-c", '"$@" 2>"$0.err" | tee "$0.out"', base];
  const server = await attack.start(database, {
    wrapper,
    settings: { LOG_LEVEL: "trace", SITEWARD_METRICS: "127.0.0.1:0" },
  });
  const readLog = () => readFile(`${base}.err`);
  return {
    server,
    readLog,
    readMetrics: async () => readMetrics(findMetricsUrl(await readLog())),
    readOutput: () => readFile(`${base}.out`),
  };
}

function findMetricsUrl(log: Buffer): string {
  const url = /Prometheus can read metrics at ([^"]+)/.exec(log.toString())?.[1];
  if (url === undefined) throw new Error("The server did not say where it answers scrapes.");
  return url;
}

/** Returns the head and the body of a scrape. */
async function readMetrics(url: string): Promise<Buffer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // Not `end`: the server would think that nobody reads the answer.
  socket.write("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  return buffer(socket);
}
